package io.distributionlock.observe;

/**
 * Published when this process has freed a lock by force.
 *
 * @param lockName the name of the lock
 * @param wasHeld whether anybody held it
 */
public record LockForcedEvent(String lockName, boolean wasHeld) {}
