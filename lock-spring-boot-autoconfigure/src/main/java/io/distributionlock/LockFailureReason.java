package io.distributionlock;

/** Why a lock was not got. */
public enum LockFailureReason {
    /** Somebody else held it for the whole waiting time. */
    BUSY,
    /** The waiting thread was interrupted. */
    INTERRUPTED,
    /** The backend failed: nothing is known of the lock. */
    BACKEND_FAILED,
    /** Fewer replicas than wanted acknowledged the lock in time, and it was given back. */
    NOT_REPLICATED
}
