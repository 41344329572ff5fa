package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** The lock and Spring's {@code @Retryable} on one method, or on two. */
class RetryableTest {

    private final Trace trace = new Trace();

    @ParameterizedTest
    @ValueSource(strings = {"-2147483648", "1000", "2147483647"})
    void eachTryTakesTheLockWhateverItsOrder(String order) {
        trace.application(Resilience.class, Payments.class)
                .withPropertyValues("distribution-lock.advice.order=" + order)
                .run(context -> {
                    context.getBean(Payments.class).pay();
                    assertThat(trace.next())
                            .containsExactly(
                                    "lock payment", "fail", "unlock payment", "lock payment", "run", "unlock payment");
                });
    }

    @Test
    void aBusyLockIsTriedAgainUnlessItIsExcluded() {
        trace.application(Resilience.class, Payments.class).run(context -> {
            Payments payments = context.getBean(Payments.class);
            trace.locks().occupy("payment");
            assertThatThrownBy(payments::pay).isInstanceOf(LockNotAcquiredException.class);
            assertThat(trace.locks().names()).containsExactly("payment", "payment", "payment", "payment");
            trace.locks().occupy("once");
            assertThatThrownBy(payments::payUnlessBusy).isInstanceOf(LockNotAcquiredException.class);
            assertThat(trace.locks().names()).containsOnlyOnce("once");
        });
    }

    @Test
    void aLockedMethodOfAnotherBeanHoldsOneLockForAllTries() {
        trace.application(Resilience.class, Payments.class, Till.class).run(context -> {
            context.getBean(Till.class).pay();
            assertThat(trace.next()).containsExactly("lock till", "fail", "run", "unlock till");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Resilience {}

    static class Payments {

        private final Trace trace;
        private int tries;

        Payments(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "payment", tryLockTime = 0)
        @Retryable(delay = 0)
        public void pay() {
            failFirst();
        }

        @DistributionLock(key = "once", tryLockTime = 0)
        @Retryable(delay = 0, excludes = LockNotAcquiredException.class)
        public void payUnlessBusy() {
            trace.add("run");
        }

        @Retryable(delay = 0)
        public void payWithoutLock() {
            failFirst();
        }

        private void failFirst() {
            tries++;
            if (tries == 1) {
                trace.add("fail");
                throw new IllegalStateException("the first try fails");
            }
            trace.add("run");
        }
    }

    static class Till {

        private final Payments payments;

        Till(Payments payments) {
            this.payments = payments;
        }

        @DistributionLock(key = "till")
        public void pay() {
            payments.payWithoutLock();
        }
    }
}
