package io.distributionlock.annotation;

/** What happens when a lease ends before the method that it guards: another may hold the lock from then on. */
public enum OnLost {
    /** Is logged and published as an event; the method's result stands. */
    REPORT,
    /**
     * As {@link #REPORT}, and {@code LockLostException} is thrown after the method. Its result is discarded; an exception of it
     * is kept as suppressed.
     */
    THROW,
    /**
     * As {@link #REPORT}, and the thread that runs the method is interrupted at once. A flag that the method leaves set is
     * cleared after it. Refused at start-up for asynchronous methods, which have no thread of their own.
     */
    INTERRUPT
}
