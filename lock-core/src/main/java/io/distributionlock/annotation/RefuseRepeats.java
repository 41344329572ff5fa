package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Refuses the same call while the first one runs and, if that succeeds, until some time after its beginning. If it fails, the call may
 * be repeated at once. The same calls are those with the same lock name: per user, form token or parameter.
 *
 * <pre>{@code
 * @RefuseRepeats(key = "createOrder", within = "5s")
 * public Resp<Order> create(@DistributionLockParam String formToken, NewOrder order) { … }
 * }</pre>
 *
 * <p>A method fails by an exception, its own future that fails, a publisher that fails or is cancelled, the rollback of the transaction
 * that it is called in or, outside of any, of all transactions that it begins. One that returns a failure as a value can call
 * {@code Lease.waiveMinHoldTime()} before.
 *
 * <p>A refused call is answered like one whose lock is busy, with the reason {@code REPEATED}.
 *
 * <p>This is no idempotency store. It keeps no results: a repeat gets an error, not the answer of the first call. It forgets: when the
 * time is over, when the process crashes, or when Redis loses its data, the call runs again. What must never happen twice needs a unique
 * key in the database.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@DistributionLock(tryLockTime = 0, refuseRepeats = true)
public @interface RefuseRepeats {

    /** What makes two calls the same, with the annotated parameters; see {@link DistributionLock#key()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "key")
    String key();

    /**
     * For how long repeats are refused, from the beginning of the call; longer if the call itself takes longer. Milliseconds, a duration
     * such as {@code 5s}, or a placeholder. More than 0, at most 365 days.
     */
    @AliasFor(annotation = DistributionLock.class, attribute = "minHoldTimeString")
    String within();

    /** The text for the caller of a repeat; see {@link DistributionLock#message()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "message")
    String message() default "";

    /** The method that answers a repeat; see {@link DistributionLock#fallbackMethod()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "fallbackMethod")
    String fallbackMethod() default "";

    /** What happens to a repeat; see {@link DistributionLock#onBusy()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "onBusy")
    OnBusy onBusy() default OnBusy.UNSET;

    /** Where the lock is kept; see {@link DistributionLock#executor()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "executor")
    String executor() default "";
}
