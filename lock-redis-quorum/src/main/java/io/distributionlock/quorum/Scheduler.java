package io.distributionlock.quorum;

import java.util.concurrent.Future;

/** The clock of a quorum and its delayed tasks: one type for both, so that tests can drive them together. */
interface Scheduler extends AutoCloseable {

    /** Nanoseconds of any origin; never goes back. */
    long nanoTime();

    /** Runs the task once, after the delay. The task must not block. A failure is logged; after closing, nothing is run. */
    Future<?> schedule(long delayNanos, Runnable task);

    @Override
    void close();
}
