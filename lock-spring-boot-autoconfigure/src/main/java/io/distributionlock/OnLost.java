package io.distributionlock;

/** What happens when a lease ends before the work that it guards: another may hold the lock from then on. */
public enum OnLost {
    /** Is logged, published as an event and counted; the result stands. */
    REPORT,
    /**
     * As {@link #REPORT}, and {@code LockLostException} is thrown after the work. Its result is discarded; an exception of it is
     * kept as suppressed.
     */
    THROW,
    /**
     * As {@link #REPORT}, and the thread that runs the work is interrupted at once. A flag that the work leaves set is cleared
     * after it. Refused at start-up for asynchronous methods, which have no thread of their own.
     */
    INTERRUPT
}
