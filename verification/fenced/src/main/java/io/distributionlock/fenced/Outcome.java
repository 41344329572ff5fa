package io.distributionlock.fenced;

/** What a worker knows of a section of its own. */
enum Outcome {
    /** The transaction returned normally. */
    DONE,
    /** {@code LockLostException}: before the work, or instead of the commit. */
    REFUSED,
    /** It failed before the commit, for example because the database refused to wait. */
    FAILED,
    /** The commit failed, so it may have happened. */
    UNKNOWN
}
