package io.distributionlock.aop;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition that failed, as a {@link LockFailureMapper} sees it.
 *
 * @param lockName the full name of the lock
 * @param method the method that did not run
 * @param arguments what it was called with
 * @param waited how long the lock was waited for
 * @param reason why the lock was not got
 * @param exception what is thrown if nobody maps the failure; carries the cause of a failed backend
 */
public record LockFailure(
        String lockName,
        Method method,
        List<@Nullable Object> arguments,
        Duration waited,
        LockFailureReason reason,
        LockNotAcquiredException exception) {

    public LockFailure {
        arguments = Collections.unmodifiableList(arguments);
    }
}
