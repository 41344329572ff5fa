package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;

/** The lock and spring-retry's {@code @Retryable} on one method. */
class SpringRetryTest {

    private final Trace trace = new Trace();

    @Test
    void byDefaultOneLockIsHeldForAllTries() {
        trace.application(RetryAnywhere.class, Payments.class).run(context -> {
            context.getBean(Payments.class).pay();
            assertThat(trace.next()).containsExactly("lock payment", "fail", "run", "unlock payment");
        });
    }

    @Test
    void byDefaultABusyLockIsNotTriedAgain() {
        trace.application(RetryAnywhere.class, Payments.class).run(context -> {
            trace.locks().occupy("payment");
            assertThatThrownBy(context.getBean(Payments.class)::pay).isInstanceOf(LockNotAcquiredException.class);
            assertThat(trace.locks().names()).containsExactly("payment");
        });
    }

    @Test
    void anEarlierRetryTakesOneLockForEachTry() {
        trace.application(RetryFirst.class, Payments.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    context.getBean(Payments.class).pay();
                    assertThat(trace.next())
                            .containsExactly(
                                    "lock payment", "fail", "unlock payment", "lock payment", "run", "unlock payment");
                });
    }

    @Test
    void anEarlierRetryTriesABusyLockAgainUnlessItIsExcluded() {
        trace.application(RetryFirst.class, Payments.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    Payments payments = context.getBean(Payments.class);
                    trace.locks().occupy("payment");
                    assertThatThrownBy(payments::pay).isInstanceOf(LockNotAcquiredException.class);
                    assertThat(trace.locks().names()).containsExactly("payment", "payment", "payment");
                    trace.locks().occupy("once");
                    assertThatThrownBy(payments::payUnlessBusy).isInstanceOf(LockNotAcquiredException.class);
                    assertThat(trace.locks().names()).containsOnlyOnce("once");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry
    static class RetryAnywhere {}

    @Configuration(proxyBeanMethods = false)
    @EnableRetry(order = 900)
    static class RetryFirst {}

    static class Payments {

        private final Trace trace;
        private int tries;

        Payments(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "payment", tryLockTime = 0)
        @Retryable(backoff = @Backoff(0))
        public void pay() {
            tries++;
            if (tries == 1) {
                trace.add("fail");
                throw new IllegalStateException("the first try fails");
            }
            trace.add("run");
        }

        @DistributionLock(key = "once", tryLockTime = 0)
        @Retryable(backoff = @Backoff(0), noRetryFor = LockNotAcquiredException.class)
        public void payUnlessBusy() {
            trace.add("run");
        }
    }
}
