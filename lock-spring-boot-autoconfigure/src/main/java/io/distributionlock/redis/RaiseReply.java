package io.distributionlock.redis;

/** What a server answers that was asked to lift its last fencing number. */
public enum RaiseReply {
    /** The number is at least the given one now, and the claim owns the lock there. */
    RAISED,
    /** The claim does not own the lock there. */
    NOT_MINE,
    /** The server was started too short a time ago to be counted. */
    TOO_YOUNG
}
