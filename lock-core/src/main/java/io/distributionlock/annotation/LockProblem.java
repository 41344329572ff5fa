package io.distributionlock.annotation;

/**
 * A mistake in the declaration of a lock.
 *
 * @param description what is wrong, and where
 * @param action what to do about it
 * @param unlocked whether a method would run without its lock if the application started nevertheless
 */
public record LockProblem(String description, String action, boolean unlocked) {

    /** A problem that lets no method run without its lock. */
    public LockProblem(String description, String action) {
        this(description, action, false);
    }

    /** A problem that would let a method run without its lock. */
    public static LockProblem unlocked(String description, String action) {
        return new LockProblem(description, action, true);
    }
}
