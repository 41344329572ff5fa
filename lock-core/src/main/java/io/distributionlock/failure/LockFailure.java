package io.distributionlock.failure;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt to acquire a lock, as a {@link LockFailureMapper} sees it.
 *
 * @param lockName the full name of the lock
 * @param method the method that did not run
 * @param arguments the arguments of the call
 * @param waited how long the call waited
 * @param reason why the lock was not acquired
 * @param exception what is thrown without a mapper; its cause is that of a failed backend
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
