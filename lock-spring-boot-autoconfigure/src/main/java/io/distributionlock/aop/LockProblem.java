package io.distributionlock.aop;

/**
 * Something that is wrong with the way locks are declared.
 *
 * @param description what is wrong, and on which method
 * @param cure what to do about it
 * @param unlocked whether a method would run without a lock if the application started nevertheless
 */
public record LockProblem(String description, String cure, boolean unlocked) {

    /** Something that does not let a method run without its lock. */
    public LockProblem(String description, String cure) {
        this(description, cure, false);
    }

    /** Something by which a method would run without a lock. */
    public static LockProblem unlocked(String description, String cure) {
        return new LockProblem(description, cure, true);
    }
}
