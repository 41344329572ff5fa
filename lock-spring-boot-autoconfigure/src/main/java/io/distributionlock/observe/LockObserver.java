package io.distributionlock.observe;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;

/**
 * Is told of each attempt to take a lock and of each lease. All beans of this type are called.
 *
 * <p>Called on the thread of the caller or on one of the library, so it must not block. What it throws is logged and disturbs
 * nobody.
 */
public interface LockObserver {

    /** Whether it wants to be told of the attempt that begins now. Asked each time, so it has to be cheap. */
    default boolean isActive() {
        return true;
    }

    /** An attempt begins, on the calling thread. */
    Attempt attempt(LockRequest request);

    /** A lock was freed by force from this process. */
    default void forced(String lockName, boolean wasHeld) {}

    /** An attempt; exactly one of its methods is called, once. */
    interface Attempt {

        /** The lock was got. */
        Hold acquired(Lease lease);

        /** The lock was not got. A cancelled attempt counts as interrupted. */
        void notAcquired(LockOutcome.NotAcquired outcome);

        /** What was asked for is a mistake in the program. */
        void failed(Throwable mistake);
    }

    /** A lease; one of its methods is called, once. */
    interface Hold {

        /** It was released while it was held, as far as is known. */
        void released();

        /** It ended before it was released. */
        void lost();
    }
}
