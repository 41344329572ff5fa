package io.distributionlock.observe;

import io.distributionlock.MessageText;

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
