package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.annotation.DistributionLock;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** The lock and {@code @Async} on one method, or on two. */
class AsyncTest {

    private final Trace trace = new Trace();

    @ParameterizedTest
    @ValueSource(strings = {"-2147483648", "1000", "2147483647"})
    void theAsynchronousThreadTakesTheLockWhateverItsOrder(String order) {
        trace.application(Asynchronous.class, TracedThreads.class, Mails.class)
                .withPropertyValues("distribution-lock.advice.order=" + order)
                .run(context -> {
                    context.getBean(Mails.class).send();
                    await().untilAsserted(() ->
                            assertThat(trace.steps()).containsExactly("submit", "lock mail", "run", "unlock mail"));
                });
    }

    @Test
    void aLockedMethodOfAnotherBeanHoldsTheLockUntilTheFutureThatItReturnsHasCompleted() {
        trace.application(Asynchronous.class, TracedThreads.class, Mails.class, Outbox.class)
                .run(context -> {
                    context.getBean(Outbox.class).flush().join();
                    await().untilAsserted(() ->
                            assertThat(trace.steps()).containsExactly("lock outbox", "submit", "run", "unlock outbox"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}

    static class Mails {

        private final Trace trace;

        Mails(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "mail")
        @Async
        public void send() {
            trace.add("run");
        }

        @Async
        public CompletableFuture<String> sendAll() {
            trace.add("run");
            return CompletableFuture.completedFuture("sent");
        }
    }

    static class Outbox {

        private final Mails mails;

        Outbox(Mails mails) {
            this.mails = mails;
        }

        @DistributionLock(key = "outbox")
        public CompletableFuture<String> flush() {
            return mails.sendAll();
        }
    }

    static class TracedThreads extends SimpleAsyncTaskExecutor {

        private final transient Trace trace;

        TracedThreads(Trace trace) {
            this.trace = trace;
        }

        @Override
        protected void doExecute(Runnable task) {
            trace.add("submit");
            super.doExecute(task);
        }
    }
}
