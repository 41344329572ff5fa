package io.distributionlock.benchmarks.simulation;

/**
 * Processor times, in microseconds.
 *
 * @param script a script without waiters: an acquire of a free lock, a release that wakes nobody, a renewal
 * @param queueing the additional time with waiters: an acquire answered busy, a release that hands over
 * @param plainCommand a command that is not a script
 * @param receiver a message, per receiver
 * @param reply an answer or a message at the client
 * @param wake until a woken thread runs
 */
record Costs(double script, double queueing, double plainCommand, double receiver, double reply, double wake) {

    Costs {
        if (script <= 0 || plainCommand <= 0 || queueing < 0 || receiver < 0 || reply < 0 || wake < 0) {
            throw new IllegalArgumentException("script " + script + ", queueing " + queueing + ", plainCommand "
                    + plainCommand + ", receiver " + receiver + ", reply " + reply + ", wake " + wake
                    + ": commands must take time, and no time may be negative.");
        }
    }

    /** What was seen on a machine; used where nothing was measured. */
    static final Costs USUAL = new Costs(12, 8, 2, 1, 10, 10);

    static long nanos(double micros) {
        return Math.round(micros * 1_000);
    }
}
