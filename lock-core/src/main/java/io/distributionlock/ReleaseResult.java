package io.distributionlock;

/** The result of releasing a {@link Lease}. */
public enum ReleaseResult {
    /** The lock is free, or was handed to the next waiter. */
    RELEASED,
    /** The owner still holds the lock by another lease: this one was a re-entry. */
    STILL_HELD,
    /** The lease had been lost before; no lock was released. */
    LOST,
    /** This lease had been released before; nothing was done. */
    ALREADY_RELEASED,
    /**
     * The backend did not answer in time, or the calling thread must not wait for it. The release is repeated in the background
     * until it is answered; at the latest, the lease expires. Or the connection broke under the release, and it is unknown whether
     * the lock was released or had been lost before.
     */
    UNCONFIRMED
}
