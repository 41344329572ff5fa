package io.distributionlock;

import java.time.Duration;

/** How an attempt to take a lock ended. Not getting the lock is a value here; it becomes an exception only at the edge. */
public sealed interface LockOutcome {

    /** The lock is held. */
    record Acquired(Lease lease) implements LockOutcome {}

    /** The lock was not got; {@link #reason()} says why. */
    sealed interface NotAcquired extends LockOutcome {

        /** Why the lock was not got. */
        LockFailureReason reason();

        /** How long the attempt took. */
        Duration waited();
    }

    /** Somebody else held the lock for the whole time that the attempt was allowed to wait. */
    record Busy(Duration waited) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.BUSY;
        }
    }

    /** The waiting thread was interrupted, or the attempt was cancelled. */
    record Interrupted(Duration waited) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.INTERRUPTED;
        }
    }

    /** The place where locks are kept did not answer or answered with an error, so nothing is known of the lock. */
    record BackendFailed(Duration waited, Throwable cause) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.BACKEND_FAILED;
        }
    }

    /**
     * The lock was free, but fewer replicas than wanted had acknowledged it in time, so that it could be lost by a fail-over. It
     * was given back.
     */
    record NotReplicated(Duration waited, Throwable cause) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.NOT_REPLICATED;
        }
    }
}
