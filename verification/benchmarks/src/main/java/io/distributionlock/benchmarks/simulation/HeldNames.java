package io.distributionlock.benchmarks.simulation;

import java.time.Duration;

/**
 * What it costs to keep many locks at once: each is renewed by a command of its own, whenever a third of its lease is over. No
 * events are needed to know that.
 *
 * @param names held at the same time
 * @param masters over which they are spread evenly
 * @param lease of each of them
 */
record HeldNames(int names, int masters, Duration lease) {

    private static final int RENEWALS_PER_LEASE = 3;

    double commandsPerSecond() {
        return names * RENEWALS_PER_LEASE / (lease.toMillis() / 1e3);
    }

    /** The share of its time for which each master is busy with renewals; more than 1 is more than it can do. */
    double utilisation(Costs costs) {
        return commandsPerSecond() / masters * costs.script() / 1e6;
    }
}
