package io.distributionlock.annotation;

/** What happens to a locked method when its lock is busy. */
public enum OnBusy {
    /** A {@code LockFailureMapper} for the return type answers, or else the exception. */
    UNSET,
    /** Throws {@code LockNotAcquiredException}, even if a {@code LockFailureMapper} would answer. */
    THROW,
    /**
     * Returns nothing: {@code null}, an empty {@code Optional}, {@code Mono} or {@code Flux}, or a future completed with
     * {@code null}. Refused at startup for a method that returns a primitive.
     */
    SKIP
}
