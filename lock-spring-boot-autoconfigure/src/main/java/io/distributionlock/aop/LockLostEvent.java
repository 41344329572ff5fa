package io.distributionlock.aop;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Published when a lease ended before the work that it guarded.
 *
 * @param lockName the name of the lock
 * @param method the annotated method, or {@code null} for work that was given to {@code LockTemplate} or {@code MultiLock}
 */
public record LockLostEvent(String lockName, @Nullable Method method) {}
