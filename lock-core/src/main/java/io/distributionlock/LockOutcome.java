package io.distributionlock;

import java.time.Duration;

/** The outcome of an attempt to acquire a lock. A lock that was not acquired is a value here, not an exception. */
public sealed interface LockOutcome {

    /** The lock is held. */
    record Acquired(Lease lease) implements LockOutcome {}

    /** The lock was not acquired. */
    sealed interface NotAcquired extends LockOutcome {

        /** Why the lock was not acquired. */
        LockFailureReason reason();

        /** How long the attempt took. */
        Duration waited();
    }

    /**
     * The lock was held for the whole waiting time by another, or by the owner itself if the request refuses that.
     *
     * @param byOwner whether the owner held it already; it then did not wait
     */
    record Busy(Duration waited, boolean byOwner) implements NotAcquired {

        /** Another holder kept the lock for the whole waiting time. */
        public Busy(Duration waited) {
            this(waited, false);
        }

        @Override
        public LockFailureReason reason() {
            return LockFailureReason.BUSY;
        }
    }

    /** The lock was acquired, but its lease was lost before the work could begin. Another may hold it now. */
    record Lost(Duration waited) implements NotAcquired {
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

    /** The backend did not answer, or answered with an error: the state of the lock is unknown. */
    record BackendFailed(Duration waited, Throwable cause) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.BACKEND_FAILED;
        }
    }

    /**
     * The name is in use as a lock while permits of it are asked for, or the other way round: two parts of an application disagree, or
     * two of its versions during an update. Not waited for.
     *
     * @param conflict who uses the name as what, as a clause without its subject
     */
    record Incompatible(Duration waited, String conflict) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.INCOMPATIBLE;
        }
    }

    /**
     * The owner holds the lock for reading and asked for it exclusively. Not waited for: two readers that upgrade would wait for each
     * other forever.
     */
    record Upgrade(Duration waited, LockKind requested) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.INCOMPATIBLE;
        }
    }

    /** Fewer replicas than required acknowledged the lock in time; a failover could lose it, so it was released. */
    record NotReplicated(Duration waited, Throwable cause) implements NotAcquired {
        @Override
        public LockFailureReason reason() {
            return LockFailureReason.NOT_REPLICATED;
        }
    }
}
