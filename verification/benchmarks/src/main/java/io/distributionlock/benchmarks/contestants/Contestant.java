package io.distributionlock.benchmarks.contestants;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock that is measured. Used by many threads at once; what a thread has acquired, the same thread releases. */
public interface Contestant extends AutoCloseable {

    /** Waits for the lock for at most {@link Contestants#WAIT}; null if it was not to be had by then. */
    @Nullable
    Held acquire(String name) throws Exception;

    /** Acquires a lock that nobody else has. */
    default Held acquireFree(String name) throws Exception {
        Held held = acquire(name);
        if (held == null) {
            throw new IllegalStateException("A lock that nobody has was not to be had: " + name);
        }
        return held;
    }

    /** Acquires several locks that nobody else has, together. */
    default Held acquireTogether(List<String> names) throws Exception {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " cannot lock several names together");
    }

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
