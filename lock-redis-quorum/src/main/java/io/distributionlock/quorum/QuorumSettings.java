package io.distributionlock.quorum;

import io.distributionlock.internal.LockTimes;
import java.time.Duration;

/**
 * How one process uses the nodes of a quorum. Processes that share locks must agree on the nodes, the mode and the restart delay.
 *
 * @param mode how many nodes must grant a lock
 * @param nodeTimeout how long one command to one node may take before the attempt goes on without that node
 * @param driftFactor how far the clocks of two machines may drift apart during a lease, as a part of the lease; leases at the
 *     nodes are longer than the holder's validity time by this much
 * @param retryDelay the average delay before a busy lock is tried again; the actual delays are random
 * @param restartDelay how long a node that has restarted does not count; at least the longest lease. With zero it counts at once
 */
public record QuorumSettings(
        QuorumMode mode, Duration nodeTimeout, double driftFactor, Duration retryDelay, Duration restartDelay) {

    /** A majority, 200 ms per node, 1 % clock drift, 50 ms retry delay, and no restart delay. */
    public static final QuorumSettings STANDARD =
            new QuorumSettings(QuorumMode.MAJORITY, Duration.ofMillis(200), 0.01, Duration.ofMillis(50), Duration.ZERO);

    /** Both expiry in Redis and delays here are rounded to milliseconds. */
    private static final int ROUNDING_MILLIS = 2;

    /**
     * @throws IllegalArgumentException if a value is out of its range, naming it
     */
    public QuorumSettings {
        LockTimes.requireAtMost(LockTimes.MAX_HOLD, "nodeTimeout", nodeTimeout);
        LockTimes.requireAtMost(LockTimes.MAX_HOLD, "retryDelay", retryDelay);
        LockTimes.requireAtMost(LockTimes.MAX_HOLD, "restartDelay", restartDelay);
        if (nodeTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("nodeTimeout is " + nodeTimeout + ": it must be at least 1 ms.");
        }
        if (!(driftFactor >= 0 && driftFactor <= 1)) {
            throw new IllegalArgumentException(
                    "driftFactor is " + driftFactor + ": it must be from 0 to 1, such as 0.01.");
        }
        if (retryDelay.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("retryDelay is " + retryDelay + ": it must be at least 1 ms.");
        }
        if (restartDelay.isNegative()) {
            throw new IllegalArgumentException(
                    "restartDelay is " + restartDelay + ": it must be zero (none) or at least the longest lease.");
        }
    }

    /** The lease at a node: longer than the holder's validity time, in case the clock of the node runs faster. */
    long leaseOnNode(long leaseMillis) {
        return leaseMillis <= 0 ? 0 : leaseMillis + (long) Math.ceil(leaseMillis * driftFactor) + ROUNDING_MILLIS;
    }

    /** The uptime that a node must report: it counts whole seconds, so one more than the delay. */
    long leastUptimeSeconds() {
        return restartDelay.isZero() ? 0 : Math.floorDiv(restartDelay.toMillis() + 999, 1000) + 1;
    }
}
