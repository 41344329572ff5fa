package io.distributionlock.quorum;

/** The clock of this package, and what has to be done later. */
interface Alarm extends AutoCloseable {

    /** Nanoseconds of any origin; never goes back. */
    long now();

    /** Runs the task once, so much later. It must be quick, and must not block. */
    Handle after(long nanos, Runnable task);

    /** Nothing runs any more. */
    @Override
    void close();

    /** A task that has not run yet. */
    interface Handle {

        /** Does nothing if it has run. */
        void cancel();
    }
}
