package io.distributionlock.annotation;

/** What happens to a locked method that is called by a holder of its lock. */
public enum Reentry {
    /** It enters again, without asking the backend. */
    ALLOW,
    /** It does not run: the lock is busy for its own holder as well, and the call does not wait. */
    REFUSE
}
