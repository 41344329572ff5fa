package io.distributionlock.benchmarks.contestants;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lock as an application uses it. Used by many threads at once; what a thread has acquired, the same thread releases. */
public interface Contestant extends AutoCloseable {

    /** Waits for the lock for at most {@link Terms#patience()}; null if it was not to be had by then. */
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

    /** A lock that was acquired. */
    @FunctionalInterface
    interface Held {

        /** Whether it is held yet, as the library says; true if the library has nothing to say about it. */
        default boolean isHeld() {
            return true;
        }

        /** How many milliseconds the lease lasts from now, by the library or else by Redis; 0 if none. */
        default long leaseLeft() {
            return 0;
        }

        /** Whether {@link #leaseLeft()} asks nobody, so that it can be asked at each step. */
        default boolean knowsItsLease() {
            return false;
        }

        /** 0 if the library has none. */
        default long token() {
            return 0;
        }

        /** Whether the library says, or does not deny, that the lock was held until now. */
        boolean release();
    }
}
