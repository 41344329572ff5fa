package io.distributionlock.rack;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A lock as an application uses it. Many threads use it at once; what a thread has acquired, the same thread releases. */
interface Contestant extends AutoCloseable {

    /** How long a lock outlives its holder, renewed or not: short, so that an episode is. */
    Duration LEASE = Duration.ofSeconds(3);

    /** How long an attempt waits for its turn. */
    Duration WAIT = Duration.ofSeconds(5);

    /** How long the clients of Spring wait for an answer of Redis, as is usual; its default of a minute would only harm the peers. */
    Duration COMMAND = Duration.ofSeconds(2);

    /** Waits for the lock for at most {@link #WAIT}; null if it was not to be had by then. */
    @Nullable
    Hold acquire(String name) throws Exception;

    @Override
    void close();

    /** A lock that was acquired. */
    interface Hold {

        /** Whether it is held yet, as the library says; true if the library has nothing to say about it. */
        default boolean isHeld() {
            return true;
        }

        /** How many milliseconds the lease lasts from now, by the library or else by Redis; 0 if none. */
        long leaseLeft();

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
