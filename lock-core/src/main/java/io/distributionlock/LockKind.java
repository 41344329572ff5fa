package io.distributionlock;

/**
 * The kind of a lock. All kinds of one name but {@link #PERMIT} are the same lock: a holder of an exclusive kind keeps out all others,
 * and readers share the lock only among themselves. A name with permits is not a lock.
 *
 * <p>Every kind is re-entrant for its owner.
 */
public enum LockKind {

    /**
     * Exclusive, and the fastest: threads of one process may hand the lock to each other for a bounded time while other processes
     * wait.
     */
    REENTRANT,

    /** Exclusive, strictly in the order in which attempts from all processes and threads arrive at the backend. */
    FAIR,

    /**
     * Shared with other readers. A reader does not overtake an earlier attempt. An owner that holds the lock exclusively may acquire it
     * for reading as well: then nobody else enters until it has released both.
     */
    READ,

    /**
     * Exclusive, in the order of arrival. An owner that holds the lock only for reading cannot acquire it: the upgrade fails with a
     * {@link LockUpgradeException}, because two readers that upgrade would wait for each other forever.
     */
    WRITE,

    /**
     * One of so many permits, in the order of arrival: at most so many owners hold one at once. An owner that holds one enters again
     * by it. An attempt counts the holders by its own number of permits, so one that knows of fewer waits until enough have
     * been released; none is ever taken away. While a name has holders of permits, a request for it as a lock is refused with a
     * {@link LockNotAcquiredException} of the reason {@link LockFailureReason#INCOMPATIBLE}, and the other way round.
     */
    PERMIT;

    /** Whether a holder of this kind keeps out all others. */
    public boolean isExclusive() {
        return this != READ && this != PERMIT;
    }
}
