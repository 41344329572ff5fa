package io.distributionlock.engine;

/** What the backend answers to a release. */
public enum ReleaseReply {
    /** The claim owned the lock, which is now free, handed over, or kept by nobody for its minimum time. */
    RELEASED,
    /** The claim did not own the lock; if it stood in the queue, it does no longer. */
    NOT_MINE
}
