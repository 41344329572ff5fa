package io.distributionlock.annotation;

/**
 * What a locked method does when its thread is interrupted while it waits for the lock, or was interrupted before. The method
 * does not run, and the thread's interrupt flag stays set, whichever is chosen.
 */
public enum OnInterrupted {
    /** A {@code LockFailureMapper} for the return type answers, or else the exception. */
    UNSET,
    /** Throws {@code LockInterruptedException}, even if a {@code LockFailureMapper} would answer. */
    THROW,
    /**
     * Returns nothing, as {@link OnBusy#SKIP} does; for work that a stopping application need not begin. Refused at start-up
     * for a method that returns a primitive.
     */
    SKIP
}
