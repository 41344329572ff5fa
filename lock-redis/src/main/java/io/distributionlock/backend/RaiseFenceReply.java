package io.distributionlock.backend;

import io.distributionlock.internal.Internal;

/**
 * The answer to a request to raise the last fencing number of a lock.
 *
 * @hidden
 */
@Internal
public enum RaiseFenceReply {
    /** The number is now at least the given one, and the claim owns the lock. */
    RAISED,
    /** The claim does not own the lock. */
    NOT_MINE,
    /** The server restarted too recently to count. */
    TOO_YOUNG
}
