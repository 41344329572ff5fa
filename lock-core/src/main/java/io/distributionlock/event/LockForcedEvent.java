package io.distributionlock.event;

import io.distributionlock.internal.MessageText;

/**
 * Published when this process has released a lock by force.
 *
 * @param lockName the name of the lock
 * @param wasHeld whether the lock was held
 */
public record LockForcedEvent(String lockName, boolean wasHeld) {

    @Override
    public String toString() {
        return "LockForcedEvent[lockName=" + MessageText.of(lockName) + ", wasHeld=" + wasHeld + "]";
    }
}
