package io.distributionlock.annotation;

/**
 * What happens to a locked method when its thread is interrupted before or while it waits for the lock. In any case, the method does
 * not run, and the interrupt flag stays set.
 */
public enum OnInterrupted {
    /** A {@code LockFailureMapper} for the return type answers, or else the exception. */
    UNSET,
    /** Throws {@code LockInterruptedException}, even if a {@code LockFailureMapper} would answer. */
    THROW,
    /**
     * Returns nothing, like {@link OnBusy#SKIP}; for work that a stopping application need not begin. Refused at startup for a
     * method that returns a primitive.
     */
    SKIP
}
