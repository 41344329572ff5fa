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
import org.springframework.core.annotation.AliasFor;

/**
 * Runs calls with the same lock name one at a time, across all processes that share the backend.
 *
 * <p>The name of the lock is the {@link #key()}, followed by the values annotated with {@link DistributionLockParam}, separated by
 * the {@link #delimiter()}. The method never runs without its lock, unless {@link #onBackendFailure()} or a {@link #condition()}
 * allows it.
 *
 * <pre>{@code
 * @DistributionLock(key = "updateOrderStatus", tryLockTime = 1000)
 * public Resp<Void> updateOrder(@DistributionLockParam String orderCode, Integer status) { … }
 * }</pre>
 *
 * <p>Goes on a method, on a class or interface (for every public method that has no lock of its own), on a method of an interface
 * or superclass, or on another annotation. Repeated, it stands for several locks, which are acquired in the order of their names,
 * all or none.
 *
 * <p>When the lock is not acquired, the first of these answers: the {@link #fallbackMethod()}, {@link #onBusy()} or
 * {@link #onInterrupted()} if set, a {@code LockFailureMapper} bean for the return type, the {@code LockNotAcquiredException}.
 *
 * <p>If the caller passes {@code null} for a parameter of type {@code Lease}, the method receives the lease. If the caller passes a
 * valid lease of the lock that the method needs, the method runs under that lease.
 *
 * <p>A method that returns a {@code CompletionStage}, {@code Mono} or {@code Flux} holds the lock until that has completed.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Repeatable(DistributionLocks.class)
public @interface DistributionLock {

    /** The same as {@link #key()}. */
    @AliasFor("key")
    String value() default "";

    /**
     * The first part of the lock's name. Must not be blank. Literal, except for placeholders ({@code ${…}}) and expressions
     * ({@code #{…}}), as in {@code "order:#{#order.code}"}. An expression can use the parameters by name ({@code #order}) and
     * position ({@code #p0}), {@code #root.args}, {@code #root.method}, {@code #root.methodName}, {@code #root.target},
     * {@code #root.targetClass} and beans ({@code @bean}), as in Spring's {@code @Cacheable}. A delimiter in its value is encoded,
     * unless the expression is the whole key.
     */
    @AliasFor("value")
    String key() default "";

    /**
     * Which calls need the lock: an expression (SpEL, without {@code #{…}}), as in {@code "#amount > 100"}. If it is false, the
     * method runs without this lock, and that is logged at debug. Can use what an expression in the {@link #key()} can, and
     * placeholders. Evaluated once per call, before the name of the lock; if it fails or its value is not a boolean, the method does
     * not run.
     */
    String condition() default "";

    /**
     * The kind of lock: {@link LockKind#FAIR} is acquired strictly in the order of arrival, {@link LockKind#READ} is shared with
     * other readers, {@link LockKind#WRITE} is exclusive. A name is one lock for all kinds.
     */
    LockKind kind() default LockKind.REENTRANT;

    /**
     * Lets so many calls of the same name run at once, over all processes, in the order of arrival, each by a {@link LockKind#PERMIT}.
     * 0 (unset) makes the name a lock. A name is a lock or has permits, not both, and all methods give the same number.
     */
    int permits() default 0;

    /** {@link #permits()} as text: a whole number, or a placeholder. Wins unless empty. */
    String permitsString() default "";

    /**
     * How long to wait for the lock, in milliseconds. 0 means a single attempt, -1 (unset)
     * {@code distribution-lock.defaults.try-lock-time}. Other negative values are refused at startup.
     */
    long tryLockTime() default -1;

    /** {@link #tryLockTime()} as text: milliseconds, a duration such as {@code 5s}, or a placeholder. Wins unless empty. */
    String tryLockTimeString() default "";

    /**
     * Length of a fixed lease in milliseconds: the lock ends then, whether or not the method has returned. With -1 (unset), a lease
     * of {@code distribution-lock.defaults.lease-time} is renewed until the method returns. 0 and other negative values are
     * refused at startup.
     */
    long holdLockTime() default -1;

    /** {@link #holdLockTime()} as text: milliseconds, a duration such as {@code 60s}, or a placeholder. Wins unless empty. */
    String holdLockTimeString() default "";

    /**
     * How long the lock stays taken at least after it was acquired, in milliseconds, even if the method returns sooner. Keeps a
     * scheduled job from running twice on nodes whose clocks differ.
     */
    long minHoldTime() default 0;

    /** {@link #minHoldTime()} as text: milliseconds, a duration such as {@code 600ms}, or a placeholder. Wins unless empty. */
    String minHoldTimeString() default "";

    /**
     * Whether the lock keeps out repeats of the call for its {@link #minHoldTime()}, which must be set. If the method fails, the lock
     * is free at once, so that the caller can try again. Without {@link #tryLockTime()} a repeat does not wait; it is also refused
     * to a holder of the lock, as by {@link Reentry#REFUSE}. The reason of the failure is {@code REPEATED}. Not with
     * {@link #permits()} or for readers. See {@link RefuseRepeats}.
     */
    boolean refuseRepeats() default false;

    /**
     * What happens when a holder of the lock calls the method again, on its thread or in its Reactor context. With
     * {@link Reentry#REFUSE} the call fails at once, as if the lock were busy. That includes a second call within one transaction,
     * which keeps the lock until it ends.
     */
    Reentry reentry() default Reentry.ALLOW;

    /**
     * Where the lock is kept: the name or qualifier of a {@code LockExecutor} or {@code LockTemplate} bean; may contain
     * <code>${…}</code>. If empty, {@code distribution-lock.executor} decides. All locks of a method must use the same executor.
     */
    String executor() default "";

    /** Separates the parts of the lock's name. Begins with neither a letter, a digit nor {@code %}. Must not be empty. */
    String delimiter() default ":";

    /**
     * The name of a method of the same class to call when the lock is not acquired. It has the same return type and parameters, and
     * optionally a {@code LockNotAcquiredException} or one of its subclasses as the last one. Of several overloads, the one with the
     * nearest exception type is called.
     */
    String fallbackMethod() default "";

    /** What happens when the lock is busy. If unset, a {@code LockFailureMapper} or the exception answers. */
    OnBusy onBusy() default OnBusy.UNSET;

    /** What happens when the waiting thread is interrupted. If unset, a {@code LockFailureMapper} or the exception answers. */
    OnInterrupted onInterrupted() default OnInterrupted.UNSET;

    /** What happens when the backend fails, so that the state of the lock is unknown. */
    OnBackendFailure onBackendFailure() default OnBackendFailure.FAIL;

    /**
     * The message of the exception and of the {@code LockFailure} when the lock is not acquired: a text, or a code in braces
     * ({@code "{order.busy}"}) for the {@code MessageSource}. Its arguments are the lock's name and the milliseconds waited.
     */
    String message() default "";

    /** What happens when the lease ends before the method. */
    OnLost onLost() default OnLost.REPORT;

    /** How the lease is checked before a transaction inside the lock commits. If the lease is lost, the transaction rolls back. */
    CommitGuard commitGuard() default CommitGuard.DEFAULT;
}
