package io.distributionlock;

/** What happens when a lease is lost before the guarded work ends: from then on, another holder may acquire the lock. */
public enum OnLost {
    /** The loss is logged, published as an event and counted; the result stands. */
    REPORT,
    /**
     * As {@link #REPORT}, and {@code LockLostException} is thrown after the work. The result is discarded; an exception of the work
     * is suppressed in that one.
     */
    THROW,
    /**
     * As {@link #REPORT}, and the thread that runs the work is interrupted at once. If the work leaves the flag set, it is cleared.
     * Rejected at start-up for asynchronous methods, which have no thread of their own.
     */
    INTERRUPT
}
