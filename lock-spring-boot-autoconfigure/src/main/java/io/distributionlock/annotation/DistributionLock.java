package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method once at a time per lock name, over all processes that share the backend.
 *
 * <p>The name of the lock is the {@link #key()}, followed by the values of the parameters marked with
 * {@link DistributionLockParam}, each behind the {@link #delimiter()}. When the lock is not got, the method does not run: a
 * {@code LockFailureMapper} for the method's return type answers, or a {@code LockNotAcquiredException} is thrown.
 *
 * <pre>{@code
 * @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
 * public Resp<Void> updateOrder(@DistributionLockParam String orderCode, Integer status) { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface DistributionLock {

    /** The first part of the lock's name: what is locked. Must not be blank. */
    String key();

    /**
     * How long to wait for the lock, in milliseconds; 0 makes a single attempt, and -1 (unset) waits as
     * {@code distribution-lock.defaults.try-lock-time} says. Other negative values are refused at start-up.
     */
    long tryLockTime() default -1;

    /**
     * How long the lock is held at most, in milliseconds, whether or not the method has returned. With -1 (unset) it is held
     * until the method returns, by leases of {@code distribution-lock.defaults.hold-lock-time} that are renewed. 0 and other
     * negative values are refused at start-up.
     */
    long holdLockTime() default -1;

    /** What stands between the parts of the lock's name. Must not be empty. */
    String delimiter() default ":";
}
