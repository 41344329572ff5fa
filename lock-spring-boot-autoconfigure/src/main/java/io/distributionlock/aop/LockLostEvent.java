package io.distributionlock.aop;

import java.lang.reflect.Method;

/**
 * Published when a lease ended before the method that it guarded.
 *
 * @param lockName the name of the lock
 * @param method the method
 */
public record LockLostEvent(String lockName, Method method) {}
