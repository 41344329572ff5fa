package io.distributionlock.event;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.internal.MessageText;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Published when a lease ended before the work that it guards, or before its release if it guards none.
 *
 * @param lockName the name of the lock
 * @param method the annotated method, or {@code null} for what was locked through {@code LockTemplate} or {@code MultiLock}
 * @param reason why the lease was lost
 */
public record LockLostEvent(String lockName, @Nullable Method method, LossReason reason) {

    @Override
    public String toString() {
        return "LockLostEvent[lockName=" + MessageText.of(lockName) + ", method=" + method + ", reason=" + reason + "]";
    }
}
