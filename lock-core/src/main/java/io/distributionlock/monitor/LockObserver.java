package io.distributionlock.monitor;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Is notified of each attempt to acquire a lock and of each lease. All beans of this type are notified.
 *
 * <p>Called on the caller's thread or on a thread of the library; must not block. Exceptions are logged and do not affect the
 * lock.
 */
public interface LockObserver {

    /** An attempt begins, on the calling thread. Returns what is notified of its end, or {@code null} if nothing is. */
    @Nullable
    Attempt attempt(LockRequest request);

    /** This process has released a lock by force. */
    default void forced(String lockName, boolean wasHeld) {}

    /** An attempt; exactly one of its methods is called, once. */
    interface Attempt {

        /** The lock was acquired. */
        Hold acquired(Lease lease);

        /** The lock was not acquired. A cancelled attempt counts as interrupted. */
        default void notAcquired(LockOutcome.NotAcquired outcome) {}

        /**
         * The lock was busy at a first look, which was made for several locks together. Another attempt follows, unless the caller
         * gives up because of another lock.
         */
        default void postponed() {}

        /** The request is a programming error. */
        default void failed(Throwable error) {}
    }

    /** A lease; exactly one of its methods is called, once. */
    interface Hold {

        /** The lease was released, and had not been lost as far as is known. */
        void released();

        /** The lease was lost before its release. */
        default void lost(LossReason reason) {}
    }
}
