package io.distributionlock;

/** What giving up a {@link Lease} came to. */
public enum ReleaseResult {
    /** The lock is free, or was handed to the next waiter. */
    RELEASED,
    /** This was an inner hold of a re-entered lock: the outer hold keeps it. */
    STILL_HELD,
    /** The lease had been lost before; nobody's lock was touched. */
    LOST,
    /** This lease had been released before; nothing was done. */
    ALREADY_RELEASED,
    /**
     * The backend did not answer in time, or the thread was one that must not wait for it; the release is repeated in the
     * background until it is answered, and the lease ends by itself at the latest.
     */
    UNCONFIRMED
}
