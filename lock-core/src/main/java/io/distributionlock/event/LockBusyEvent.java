package io.distributionlock.event;

import io.distributionlock.LockKind;
import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * Published when an attempt of this process has ended because other holders kept the lock for the whole waiting time.
 *
 * @param lockName the name of the lock
 * @param label the key of the annotation, or the label of the request; empty if there is none
 * @param kind the requested kind
 * @param waited how long the attempt took
 */
public record LockBusyEvent(String lockName, String label, LockKind kind, Duration waited) {

    @Override
    public String toString() {
        return "LockBusyEvent[lockName=" + MessageText.of(lockName) + ", label=" + MessageText.of(label) + ", kind="
                + kind + ", waited=" + waited + "]";
    }
}
