package io.distributionlock;

/** How a lease is checked before a transaction inside the lock commits. */
public enum CommitGuard {
    /** By the local clock; costs nothing. */
    LOCAL,
    /** By the local clock, then by asking the backend; costs one command. */
    REMOTE
}
