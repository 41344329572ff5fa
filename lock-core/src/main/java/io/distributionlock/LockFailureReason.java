package io.distributionlock;

/** Why a lock was not acquired. */
public enum LockFailureReason {
    /**
     * Another holder kept it for the whole waiting time, or the caller itself holds it and may not re-enter. Or it was lost before
     * the work began, and another may hold it now.
     */
    BUSY,
    /** The same call is running, or has succeeded a moment ago, and the request {@linkplain LockRequest#refuseRepeats() refuses repeats}. */
    REPEATED,
    /** The waiting thread was interrupted. */
    INTERRUPTED,
    /** The backend failed: the state of the lock is unknown. */
    BACKEND_FAILED,
    /**
     * The name is in use as a lock while permits of it are asked for, or the other way round. Or the caller holds the lock for reading
     * and asked for it exclusively.
     */
    INCOMPATIBLE,
    /** Fewer replicas than required acknowledged the lock in time, and it was released. */
    NOT_REPLICATED
}
