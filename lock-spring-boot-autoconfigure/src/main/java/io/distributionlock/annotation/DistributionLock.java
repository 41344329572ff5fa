package io.distributionlock.annotation;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockKind;
import io.distributionlock.OnLost;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method once at a time per lock name, over all processes that share the backend.
 *
 * <p>The name of the lock is the {@link #key()}, followed by the values marked with {@link DistributionLockParam}, each behind
 * the {@link #delimiter()}. The method never runs without its lock, unless {@link #onBackendFailure()} says so.
 *
 * <pre>{@code
 * @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
 * public Resp<Void> updateOrder(@DistributionLockParam String orderCode, Integer status) { … }
 * }</pre>
 *
 * <p>May stand on a method, on a class or interface (for every public method of it that has no lock of its own), on a method of
 * an interface or superclass, and on another annotation. Standing several times on one place it asks for several locks: they
 * are taken in the order of their names, all or none.
 *
 * <p>When the lock is not got, the first of these answers: the {@link #fallbackMethod()}, {@link #onBusy()} or
 * {@link #onInterrupted()} if it is set, a {@code LockFailureMapper} bean for the return type, and last the exception {@code LockNotAcquiredException}.
 *
 * <p>A parameter of type {@code Lease} is filled in when the caller passes {@code null}. A caller that passes a valid lease of
 * the lock that the method asks for holds it already, and the method runs inside that lease.
 *
 * <p>A method that returns a {@code CompletionStage}, {@code Mono} or {@code Flux} holds the lock until that has ended.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Repeatable(DistributionLocks.class)
public @interface DistributionLock {

    /**
     * The first part of the lock's name: what is locked. Must not be blank. Taken literally, except for placeholders
     * ({@code ${…}}) and expressions ({@code #{…}}), as in {@code "order:#{#order.code}"}. An expression knows the parameters by
     * name ({@code #order}) and position ({@code #p0}), {@code #args}, {@code #target}, {@code #method} and beans
     * ({@code @bean}). The delimiter inside its value is encoded, unless the expression is the whole key.
     */
    String key();

    /**
     * In which way the lock is taken: {@link LockKind#FAIR} in the order of arrival, {@link LockKind#READ} together with other
     * readers, {@link LockKind#WRITE} alone. A name is one lock for all kinds.
     */
    LockKind kind() default LockKind.REENTRANT;

    /**
     * How long to wait for the lock, in milliseconds; 0 makes a single attempt, and -1 (unset) waits as
     * {@code distribution-lock.defaults.try-lock-time} says. Other negative values are refused at start-up.
     */
    long tryLockTime() default -1;

    /** {@link #tryLockTime()} as text: milliseconds, a duration such as {@code 5s}, or a placeholder ({@code ${…}}). */
    String tryLockTimeString() default "";

    /**
     * How long the lock is held at most, in milliseconds, whether or not the method has returned. With -1 (unset) it is held
     * until the method returns, by leases of {@code distribution-lock.defaults.hold-lock-time} that are renewed. 0 and other
     * negative values are refused at start-up.
     */
    long holdLockTime() default -1;

    /** {@link #holdLockTime()} as text: milliseconds, a duration such as {@code 60s}, or a placeholder ({@code ${…}}). */
    String holdLockTimeString() default "";

    /**
     * How long the lock stays taken at least after it was got, in milliseconds, even if the method returns sooner; 0 (none)
     * unless set. Keeps a scheduled job from running twice on nodes whose clocks differ.
     */
    long minHoldTime() default 0;

    /** {@link #minHoldTime()} as text: milliseconds, a duration such as {@code 600ms}, or a placeholder ({@code ${…}}). */
    String minHoldTimeString() default "";

    /**
     * Where the lock is kept: the name of one of {@code distribution-lock.executors}, or of a {@code LockTemplate} bean. Left empty,
     * where {@code distribution-lock.executor} says. All locks of one method are kept in the same place.
     */
    String executor() default "";

    /** What stands between the parts of the lock's name. Must not be empty. */
    String delimiter() default ":";

    /**
     * The name of a method of the same class that answers when the lock is not got. It takes the same parameters, and after
     * them an exception if it wants to ({@code LockNotAcquiredException} or one of its subclasses); of several, the one whose
     * exception type is nearest is called. It must return what the method returns.
     */
    String fallbackMethod() default "";

    /** What happens while another holds the lock. Unset, a {@code LockFailureMapper} or the exception answers. */
    OnBusy onBusy() default OnBusy.UNSET;

    /** What happens when the thread is interrupted while it waits. Unset, a {@code LockFailureMapper} or the exception answers. */
    OnInterrupted onInterrupted() default OnInterrupted.UNSET;

    /** What happens when the backend fails, so that nothing is known of the lock. */
    OnBackendFailure onBackendFailure() default OnBackendFailure.FAIL;

    /**
     * What the exception and the {@code LockFailure} say when the lock is not got: a text, or the code of one in braces
     * ({@code "{order.busy}"}), which the {@code MessageSource} gets with the lock's name and the waited milliseconds.
     */
    String message() default "";

    /** What happens when the lease ends before the method. */
    OnLost onLost() default OnLost.REPORT;

    /** How the lease is checked before a transaction inside the lock commits; a lost one rolls back. */
    CommitGuard commitGuard() default CommitGuard.LOCAL;
}
