package io.distributionlock.aop;

/**
 * Something that is wrong with the way locks are declared.
 *
 * @param description what is wrong, and on which method
 * @param cure what to do about it
 */
public record LockProblem(String description, String cure) {}
