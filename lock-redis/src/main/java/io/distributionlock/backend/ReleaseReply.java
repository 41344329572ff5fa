package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * What the backend answers to a release.
 *
 * @hidden
 */
@Internal
public enum ReleaseReply {
    /** The claim owned the lock, which is now free, handed over, or taken until its minimum hold time has passed. */
    RELEASED,
    /** The claim did not own the lock. If it was in the queue, it is removed. */
    NOT_MINE
}
