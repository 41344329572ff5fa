package io.distributionlock.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * How many replicas must have a lock before it counts, and how long they may take to say so.
 *
 * @param replicas how many ({@code distribution-lock.redis.min-replicas-to-ack}); 0 asks none
 * @param timeout how long Redis waits for them ({@code distribution-lock.redis.replica-ack-timeout})
 */
public record ReplicaAcks(int replicas, Duration timeout) {

    /** No replica is asked. */
    public static final ReplicaAcks NONE = new ReplicaAcks(0, Duration.ofMillis(500));

    /** @throws IllegalArgumentException if the number is negative or the time shorter than 1 ms */
    public ReplicaAcks {
        Objects.requireNonNull(timeout, "timeout");
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas (distribution-lock.redis.min-replicas-to-ack) is " + replicas
                    + ": it is 0 (off) or more.");
        }
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "timeout (distribution-lock.redis.replica-ack-timeout) is " + timeout + ": it is 1 ms or more.");
        }
    }

    boolean areWanted() {
        return replicas > 0;
    }
}
