package io.distributionlock.observe;

import io.distributionlock.LockKind;
import io.distributionlock.MessageText;
import java.time.Duration;

/**
 * Published when a lease has ended by its release. If it was lost before, {@code LockLostEvent} says so instead.
 *
 * @param lockName the name of the lock
 * @param label the key of the annotation, or the label of the request; empty without
 * @param kind in which way it was held
 * @param fencingToken its number
 * @param held how long it was held
 */
public record LockReleasedEvent(String lockName, String label, LockKind kind, long fencingToken, Duration held) {

    @Override
    public String toString() {
        return "LockReleasedEvent[lockName=" + MessageText.of(lockName) + ", label=" + MessageText.of(label) + ", kind="
                + kind + ", fencingToken=" + fencingToken + ", held=" + held + "]";
    }
}
