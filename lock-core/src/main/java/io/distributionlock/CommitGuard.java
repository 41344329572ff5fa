package io.distributionlock;

/** How a lease is checked before a transaction inside the lock commits. */
public enum CommitGuard {
    /** As the defaults say, {@code distribution-lock.defaults.commit-guard}; they say {@link #LOCAL} unless they are set. */
    DEFAULT,
    /** By the local clock; costs nothing. */
    LOCAL,
    /** By the local clock, then by asking the backend; costs one command. */
    REMOTE,
    /**
     * By the local clock, then in the transaction's own database, where each holder announces its fencing token before it reads: a holder
     * that another has overtaken does not commit there, whatever happened to its process, its clock, the network or the backend. Costs two
     * statements. Needs the module {@code lock-jdbc} and a transaction that begins inside the lock; for blocking work under an exclusive
     * lock.
     */
    DATABASE
}
