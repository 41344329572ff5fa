package io.distributionlock.redis;

import io.distributionlock.internal.LockTimes;
import java.time.Duration;
import java.util.Objects;

/**
 * How many replicas must acknowledge a lock before it counts, and in what time.
 *
 * @param replicas how many ({@code distribution-lock.redis.min-replicas-to-ack}); 0 for none
 * @param timeout how long Redis waits for them ({@code distribution-lock.redis.replica-ack-timeout})
 */
public record ReplicaAcks(int replicas, Duration timeout) {

    /** Locks count without an acknowledgement. */
    public static final ReplicaAcks NONE = new ReplicaAcks(0, Duration.ofMillis(500));

    /** @throws IllegalArgumentException if the number is negative or the time shorter than 1 ms */
    public ReplicaAcks {
        Objects.requireNonNull(timeout, "timeout");
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas (distribution-lock.redis.min-replicas-to-ack) is " + replicas
                    + ": it must be 0 (off) or more.");
        }
        LockTimes.requireAtMost(LockTimes.MAX_HOLD, "timeout (distribution-lock.redis.replica-ack-timeout)", timeout);
        if (timeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("timeout (distribution-lock.redis.replica-ack-timeout) is " + timeout
                    + ": it must be at least 1 ms.");
        }
    }

    boolean areWanted() {
        return replicas > 0;
    }
}
