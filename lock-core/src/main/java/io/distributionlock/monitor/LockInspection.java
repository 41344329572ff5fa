package io.distributionlock.monitor;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the backend knows of one lock.
 *
 * @param lockName the name of the lock
 * @param inside the present owners: one exclusive owner, any number of readers, or those who hold permits; empty if the lock is free
 * @param queue the claims that wait, in their order, at most the first {@value #MAX_CLAIMS}
 * @param waiting how many claims wait
 * @param lastFence the fencing number of the last ownership; 0 if none is known
 */
public record LockInspection(String lockName, List<Inside> inside, List<String> queue, long waiting, long lastFence) {

    /** The largest number of owners and of waiting claims returned, so that a long queue does not keep the backend busy. */
    public static final int MAX_CLAIMS = 100;

    /** The low bits of a fencing token count the holders of one ownership within a process; the others are the fencing number. */
    public static final int LOCAL_TOKEN_BITS = 10;

    public LockInspection {
        inside = List.copyOf(inside);
        queue = List.copyOf(queue);
    }

    /** The lowest fencing token of the last ownership; 0 if none is known. Later holders in the same process have higher ones. */
    public long lastFencingToken() {
        return lastFence << LOCAL_TOKEN_BITS;
    }

    /**
     * A present owner.
     *
     * @param claim the claim, {@code <instance>:<number>}
     * @param permits how many permits there were for it when it was admitted; 0 if this is a lock
     * @param reads whether it shares the lock with other readers
     * @param minHold whether it was released, and the lock only stays taken for its minimum hold time
     * @param leaseLeft the remaining lease time; {@code null} if the key has no TTL (edited by hand)
     */
    public record Inside(
            String claim,
            int permits,
            boolean reads,
            boolean minHold,
            @Nullable Duration leaseLeft) {}
}
