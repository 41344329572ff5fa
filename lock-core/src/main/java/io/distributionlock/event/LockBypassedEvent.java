package io.distributionlock.event;

import io.distributionlock.internal.MessageText;
import java.lang.reflect.Method;

/**
 * Published when a method runs without its lock because the backend failed and its annotation says {@code onBackendFailure =
 * PROCEED}.
 *
 * @param lockName the name of the lock that is not held
 * @param method the method
 * @param cause why the backend failed
 */
public record LockBypassedEvent(String lockName, Method method, Throwable cause) {

    @Override
    public String toString() {
        return "LockBypassedEvent[lockName=" + MessageText.of(lockName) + ", method=" + method + ", cause="
                + MessageText.of(cause) + "]";
    }
}
