package io.distributionlock;

/**
 * In which way a lock is asked for. A name is one lock for all kinds: whoever holds it in any exclusive way keeps out everybody
 * else, and readers share it among themselves only.
 *
 * <p>Every kind is re-entrant for its owner.
 */
public enum LockKind {

    /**
     * Exclusive, and the fastest: threads of one process may pass the lock among themselves for a bounded time while other
     * processes wait.
     */
    REENTRANT,

    /** Exclusive, strictly in the order in which the attempts arrive at the backend, over all processes and threads. */
    FAIR,

    /**
     * Shared with other readers. An owner that holds the lock exclusively may take it for reading as well, and keeps on reading
     * when it releases the exclusive hold (downgrade). A reader does not overtake an attempt that was there before it.
     */
    READ,

    /**
     * Exclusive, in the order of arrival. An owner that holds the lock for reading only cannot get it: an upgrade is refused with
     * a {@link LockUpgradeException}, since two readers that wait for each other would wait for ever.
     */
    WRITE;

    /** Whether holders of this kind keep everybody else out. */
    public boolean isExclusive() {
        return this != READ;
    }
}
