package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** The lock and {@code @ConcurrencyLimit} on one method, or on two. */
class ConcurrencyLimitTest {

    private final Trace trace = new Trace();

    @ParameterizedTest
    @ValueSource(strings = {"-2147483648", "1000", "2147483647"})
    void aCallThatWaitsForItsLockCountsTowardsTheLimitWhateverTheOrder(String order) {
        trace.application(Resilience.class, Reports.class)
                .withPropertyValues("distribution-lock.advice.order=" + order)
                .run(context -> {
                    Reports reports = context.getBean(Reports.class);
                    Lease busy = trace.locks().occupy("report:a");
                    Thread first = started(() -> reports.print("a"));
                    await().until(() -> trace.locks().waiting() == 1);
                    Thread second = started(() -> reports.print("b"));
                    await().until(() -> second.getState() == Thread.State.WAITING);
                    assertThat(trace.locks().names()).containsExactly("report:a");
                    busy.release();
                    first.join();
                    second.join();
                    assertThat(trace.locks().names()).containsExactly("report:a", "report:b");
                });
    }

    @Test
    void aLockedMethodOfAnotherBeanHoldsItsLockWhileItWaitsForTheLimit() {
        trace.application(Resilience.class, Reports.class, Desk.class).run(context -> {
            Desk desk = context.getBean(Desk.class);
            CountDownLatch printed = new CountDownLatch(1);
            Thread first = started(() -> desk.print("a", printed));
            await().until(() -> trace.steps().contains("run a"));
            Thread second = started(() -> desk.print("b", printed));
            await().until(() -> trace.locks().isHeld("desk:b") && second.getState() == Thread.State.WAITING);
            assertThat(trace.steps()).containsExactly("lock desk:a", "run a", "lock desk:b");
            printed.countDown();
            first.join();
            second.join();
            assertThat(trace.steps()).contains("run b");
        });
    }

    private static Thread started(Runnable call) {
        Thread thread = new Thread(call);
        thread.start();
        return thread;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods
    static class Resilience {}

    static class Reports {

        private final Trace trace;

        Reports(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "report", tryLockTime = 30_000)
        @ConcurrencyLimit(1)
        public void print(@DistributionLockParam String report) {
            trace.add("run " + report);
        }

        @ConcurrencyLimit(1)
        public void printWithoutLock(String report, CountDownLatch printed) {
            trace.add("run " + report);
            try {
                printed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static class Desk {

        private final Reports reports;

        Desk(Reports reports) {
            this.reports = reports;
        }

        @DistributionLock(key = "desk")
        public void print(@DistributionLockParam String report, CountDownLatch printed) {
            reports.printWithoutLock(report, printed);
        }
    }
}
