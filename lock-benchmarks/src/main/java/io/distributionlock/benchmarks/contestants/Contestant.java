package io.distributionlock.benchmarks.contestants;

import org.jspecify.annotations.Nullable;

/** A lock that is measured. Used by many threads at once; what a thread has acquired, the same thread releases. */
public interface Contestant extends AutoCloseable {

    /** Waits for the lock for at most {@link Contestants#WAIT}; null if it was not to be had by then. */
    @Nullable
    Held acquire(String name) throws Exception;

    /** How many commands this process has sent to Redis for the lock, and in how many batches. */
    SentCommands sent();

    @Override
    void close();

    /** A lock that is held. */
    @FunctionalInterface
    interface Held {

        void release();
    }
}
