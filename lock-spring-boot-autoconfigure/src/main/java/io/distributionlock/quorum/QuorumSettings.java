package io.distributionlock.quorum;

import java.time.Duration;

/**
 * How one process deals with several nodes. Processes that share locks must agree on the mode, the restart delay and, above
 * all, the nodes.
 *
 * @param mode how many nodes have to agree
 * @param nodeTimeout how long one command to one node may take before that node is done without
 * @param driftFactor by which part of a lease the clocks of two machines may run apart while it lasts; nodes are asked for
 *     leases that are longer by so much than what the holder counts
 * @param retryDelay how long on average a process waits before it asks for a busy lock again; the waits are random
 * @param restartDelay for how long a node that was started does not count; at least the longest lease. Zero counts every node at
 *     once
 */
public record QuorumSettings(
        QuorumMode mode, Duration nodeTimeout, double driftFactor, Duration retryDelay, Duration restartDelay) {

    /** A majority, 200 ms for each node, one per cent of drift, 50 ms between attempts, and a node that was started counts at once. */
    public static final QuorumSettings STANDARD =
            new QuorumSettings(QuorumMode.MAJORITY, Duration.ofMillis(200), 0.01, Duration.ofMillis(50), Duration.ZERO);

    /** Expiry in Redis and delays here count whole milliseconds. */
    private static final int ROUNDING_MILLIS = 2;

    /**
     * @throws IllegalArgumentException if a value is out of its range, naming it
     */
    public QuorumSettings {
        if (nodeTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("nodeTimeout is " + nodeTimeout + ": it must be at least 1 ms.");
        }
        if (!(driftFactor >= 0 && driftFactor <= 1)) {
            throw new IllegalArgumentException("driftFactor is " + driftFactor + ": it is from 0 to 1, such as 0.01.");
        }
        if (retryDelay.toMillis() < 1) {
            throw new IllegalArgumentException("retryDelay is " + retryDelay + ": it must be at least 1 ms.");
        }
        if (restartDelay.isNegative()) {
            throw new IllegalArgumentException(
                    "restartDelay is " + restartDelay + ": it is zero (none), or the longest lease.");
        }
    }

    /** What a node is asked for, so that its lease lasts as long as the holder counts even if its clock runs faster. */
    long leaseOnNode(long leaseMillis) {
        return leaseMillis <= 0 ? 0 : leaseMillis + (long) Math.ceil(leaseMillis * driftFactor) + ROUNDING_MILLIS;
    }

    /** What a node must say of its uptime; it counts whole seconds, between the ticks of a clock that tells whole seconds. */
    long leastUptimeSeconds() {
        return restartDelay.isZero() ? 0 : Math.floorDiv(restartDelay.toMillis() + 999, 1000) + 1;
    }
}
