package io.distributionlock.event;

import io.distributionlock.LockKind;
import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * Published when this process has acquired a lock.
 *
 * @param lockName the name of the lock
 * @param label the key of the annotation, or the label of the request; empty if there is none
 * @param kind the kind of the lock
 * @param fencingToken the fencing token of the lease; 0 if none was drawn, since an uncontended lock draws it on demand
 * @param waited how long the attempt took
 */
public record LockAcquiredEvent(String lockName, String label, LockKind kind, long fencingToken, Duration waited) {

    @Override
    public String toString() {
        return "LockAcquiredEvent[lockName=" + MessageText.of(lockName) + ", label=" + MessageText.of(label) + ", kind="
                + kind + ", fencingToken=" + fencingToken + ", waited=" + waited + "]";
    }
}
