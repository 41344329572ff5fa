package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled job on one of several nodes: a node that finds the lock busy skips its turn, and so does one whose backend fails.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @ScheduledLock(name = "nightly-report", lockAtLeastFor = "1m", lockAtMostFor = "30m")
 * public void report() { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@DistributionLock(tryLockTime = 0, onBusy = OnBusy.SKIP, onBackendFailure = OnBackendFailure.SKIP)
public @interface ScheduledLock {

    /** The name of the lock; see {@link DistributionLock#key()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "key")
    String name();

    /**
     * How long the lock stays taken at least, so that a node whose clock is behind does not run the same turn again. Choose it shorter
     * than the schedule's interval, and longer than the clocks differ and a first connection takes. Milliseconds, a duration such as
     * {@code 600ms}, or a placeholder.
     */
    @AliasFor(annotation = DistributionLock.class, attribute = "minHoldTimeString")
    String lockAtLeastFor() default "";

    /**
     * Length of a fixed lease: the lock ends then, whether or not the job has ended. After a crash, it stays taken until then.
     * Milliseconds, a duration such as {@code 30m}, or a placeholder. If unset, the lease is renewed until the job ends.
     */
    @AliasFor(annotation = DistributionLock.class, attribute = "holdLockTimeString")
    String lockAtMostFor() default "";

    /** Where the lock is kept; see {@link DistributionLock#executor()}. */
    @AliasFor(annotation = DistributionLock.class, attribute = "executor")
    String executor() default "";
}
