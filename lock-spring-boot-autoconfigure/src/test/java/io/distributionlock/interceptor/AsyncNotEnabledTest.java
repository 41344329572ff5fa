package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.EnableAsync;

/** Without {@code @EnableAsync}, the annotation {@code @Async} has no effect, so it must not make the caller wait for the lock. */
@Tag("boot4")
class AsyncNotEnabledTest {

    private final ApplicationContextRunner application =
            LockContextRunner.local(Service.class).withPropertyValues("distribution-lock.defaults.try-lock-time=5m");

    @Test
    void theCallerOfAFutureDoesNotWaitForTheLock() {
        application.run(AsyncNotEnabledTest::assertThatTheCallerDoesNotWait);
    }

    /** What a parent enables is for its own beans. */
    @Test
    void aParentThatEnablesAsyncDoesNotCount() {
        new ApplicationContextRunner()
                .withUserConfiguration(Enabled.class)
                .run(parent -> application.withParent(parent).run(AsyncNotEnabledTest::assertThatTheCallerDoesNotWait));
    }

    private static void assertThatTheCallerDoesNotWait(BeanFactory context) throws Exception {
        Service service = context.getBean(Service.class);
        CompletableFuture<String> result;
        try (Lease held = context.getBean(LockTemplate.class).acquire("later")) {
            result = CompletableFuture.supplyAsync(service::later).get(60, TimeUnit.SECONDS);
            assertThat(result).isNotDone();
        }
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("done");
    }

    /** As in a test that leaves {@code @EnableAsync} out: the method ends with its work. */
    @Test
    void whatOnlyAnAsynchronousThreadCanWaitForIsNotRefused() {
        LockContextRunner.local(PlainFuture.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(PlainFuture.class).later().get(60, TimeUnit.SECONDS))
                    .isEqualTo("done");
        });
    }

    /** Here the thread of {@code @Async} waits, and goes on as it is: a future that comes later would go on with another. */
    @Test
    void thePostProcessorMayHaveAnyName() {
        application
                .withBean("mine", AsyncAnnotationBeanPostProcessor.class)
                .withBean(TaskExecutor.class, () -> new SimpleAsyncTaskExecutor("async-"))
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    CompletableFuture<String> result;
                    try (Lease held = context.getBean(LockTemplate.class).acquire("thread")) {
                        result = service.thread();
                        assertThat(result).isNotDone();
                    }
                    assertThat(result.get(60, TimeUnit.SECONDS)).startsWith("async-");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Enabled {}

    @Async
    static class Service {
        @DistributionLock(key = "later")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
        }

        @DistributionLock(key = "thread")
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }
    }

    static class PlainFuture {
        @Async
        @DistributionLock(key = "later")
        public Future<String> later() {
            return CompletableFuture.completedFuture("done");
        }
    }
}
