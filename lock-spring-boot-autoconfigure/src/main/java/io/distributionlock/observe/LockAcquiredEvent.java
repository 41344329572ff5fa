package io.distributionlock.observe;

import io.distributionlock.LockKind;
import io.distributionlock.MessageText;
import java.time.Duration;

/**
 * Published when this process has got a lock.
 *
 * @param lockName the name of the lock
 * @param label the key of the annotation, or the label of the request; empty without
 * @param kind in which way it is held
 * @param fencingToken its number
 * @param waited how long the attempt took
 */
public record LockAcquiredEvent(String lockName, String label, LockKind kind, long fencingToken, Duration waited) {

    @Override
    public String toString() {
        return "LockAcquiredEvent[lockName=" + MessageText.of(lockName) + ", label=" + MessageText.of(label) + ", kind="
                + kind + ", fencingToken=" + fencingToken + ", waited=" + waited + "]";
    }
}
