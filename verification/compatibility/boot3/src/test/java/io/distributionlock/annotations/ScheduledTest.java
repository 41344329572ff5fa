package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.ScheduledLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The lock and {@code @Scheduled} on one method. */
class ScheduledTest {

    private final Trace trace = new Trace();

    @ParameterizedTest
    @ValueSource(strings = {"-2147483648", "1000", "2147483647"})
    void eachTurnTakesTheLockWhateverItsOrder(String order) {
        trace.application(Scheduling.class, Job.class)
                .withPropertyValues("distribution-lock.advice.order=" + order)
                .run(context -> await().untilAsserted(
                                () -> assertThat(trace.steps()).containsExactly("lock job", "run", "unlock job")));
    }

    @Test
    void ifTheLockIsBusyTheTurnFails() {
        trace.locks().occupy("job");
        trace.application(Scheduling.class, Job.class)
                .run(context -> await().untilAsserted(() ->
                        assertThat(trace.steps()).containsExactly("lock job", "LockNotAcquiredException")));
    }

    @Test
    void withScheduledLockItIsSkipped() {
        trace.locks().occupy("skipping");
        trace.application(Scheduling.class, SkippingJob.class).run(context -> {
            await().until(() -> trace.locks().names().contains("skipping"));
            context.getBean(ThreadPoolTaskScheduler.class).destroy();
            assertThat(trace.steps()).containsExactly("lock skipping");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {

        @Bean
        static ThreadPoolTaskScheduler taskScheduler(Trace trace) {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.setErrorHandler(failure -> trace.add(failure.getClass().getSimpleName()));
            scheduler.setWaitForTasksToCompleteOnShutdown(true);
            scheduler.setAwaitTerminationSeconds(30);
            return scheduler;
        }
    }

    static class Job {

        private final Trace trace;

        Job(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "job", tryLockTime = 0)
        @Scheduled(fixedDelay = Long.MAX_VALUE)
        public void run() {
            trace.add("run");
        }
    }

    static class SkippingJob {

        private final Trace trace;

        SkippingJob(Trace trace) {
            this.trace = trace;
        }

        @ScheduledLock(name = "skipping")
        @Scheduled(fixedDelay = Long.MAX_VALUE)
        public void run() {
            trace.add("run");
        }
    }
}
