package io.distributionlock.annotation;

/**
 * A mistake in the declaration of a lock.
 *
 * @param description what is wrong, and where
 * @param cure what to do about it
 * @param unlocked whether a method would run without its lock if the application started nevertheless
 */
public record LockProblem(String description, String cure, boolean unlocked) {

    /** A problem that lets no method run without its lock. */
    public LockProblem(String description, String cure) {
        this(description, cure, false);
    }

    /** A problem that would let a method run without its lock. */
    public static LockProblem unlocked(String description, String cure) {
        return new LockProblem(description, cure, true);
    }
}
