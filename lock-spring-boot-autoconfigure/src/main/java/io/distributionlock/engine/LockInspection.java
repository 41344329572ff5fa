package io.distributionlock.engine;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the backend knows of one lock.
 *
 * @param lockName the name of the lock
 * @param inside who is inside: one that keeps all others out, or any number of readers; nobody if the lock is free
 * @param queue the claims that wait, in their order, the first {@value #MOST_CLAIMS} at most
 * @param waiting how many wait
 * @param lastFence the number of the last tenure; 0 if none is remembered
 */
public record LockInspection(String lockName, List<Inside> inside, List<String> queue, long waiting, long lastFence) {

    /** How many claims of each sort are told at most: a queue may be long, and the backend must not be kept for long. */
    public static final int MOST_CLAIMS = 100;

    public LockInspection {
        inside = List.copyOf(inside);
        queue = List.copyOf(queue);
    }

    /** The least fencing token of the last tenure; 0 if none is remembered. Holders that followed in the same process have more. */
    public long lastFencingToken() {
        return lastFence << Tenure.LOCAL_BITS;
    }

    /**
     * Somebody who is inside.
     *
     * @param claim the claim, {@code <instance>:<number>}
     * @param reads whether others may read beside it
     * @param kept whether its work has ended, and the lock only stays taken for its minimum time
     * @param leaseLeft how long yet, or {@code null} without an end, which only a hand in the backend can make
     */
    public record Inside(
            String claim,
            boolean reads,
            boolean kept,
            @Nullable Duration leaseLeft) {}
}
