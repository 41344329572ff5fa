package io.distributionlock.event;

import io.distributionlock.LockKind;
import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * Published when a lease has been released. If it was lost before, {@code LockLostEvent} is published instead.
 *
 * @param lockName the name of the lock
 * @param label the key of the annotation, or the label of the request; empty if there is none
 * @param kind the kind of the lock
 * @param fencingToken the fencing token of the lease; 0 if none was drawn, since an uncontended lock draws it on demand
 * @param held how long it was held
 */
public record LockReleasedEvent(String lockName, String label, LockKind kind, long fencingToken, Duration held) {

    @Override
    public String toString() {
        return "LockReleasedEvent[lockName=" + MessageText.of(lockName) + ", label=" + MessageText.of(label) + ", kind="
                + kind + ", fencingToken=" + fencingToken + ", held=" + held + "]";
    }
}
