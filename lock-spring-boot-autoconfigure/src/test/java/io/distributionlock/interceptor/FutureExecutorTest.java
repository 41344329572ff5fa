package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Whatever the application's executor does with a task, and whatever stage a method returns, its lock is released. */
@Tag("boot4")
class FutureExecutorTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OWN_THREADS = "distribution-lock-";

    /** As that of a saturated pool which discards: a lock must not depend on it. */
    private static final Executor DROPPING = task -> {};

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Body test) {
        LockContextRunner.with(executor, ServiceConfiguration.class)
                .withBean("applicationTaskExecutor", Executor.class, () -> DROPPING)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.run(context.getBean(Service.class));
                });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service) throws Exception;
    }

    private static <T> T resultOf(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static void on(String thread, Runnable action) {
        new Thread(action, thread).start();
    }

    // ------------------------------------------------------------------ threads of the library

    @Test
    void aFutureThatEndsReleases() {
        with(service -> {
            CompletableFuture<String> result = service.future();
            on("event-loop", () -> service.own().complete("done"));
            assertThat(resultOf(result)).isEqualTo("done");
            assertThat(executor.isHeld("future")).isFalse();
        });
    }

    @Test
    void locksAcquiredBeforeABusyOneAreReleased() {
        with(service -> {
            Lease other = executor.occupy("second");
            CompletableFuture<String> result = service.both();
            assertThat(catchThrowable(() -> resultOf(result))).cause().isInstanceOf(LockNotAcquiredException.class);
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("first"));
            other.release();
        });
    }

    @Test
    void theLockIsNotReleasedOnTheThreadThatEndsTheFuture() {
        with(service -> {
            CompletableFuture<String> finisher =
                    service.future().thenApply(value -> Thread.currentThread().getName());
            on("event-loop", () -> service.own().complete("done"));
            assertThat(resultOf(finisher)).startsWith(OWN_THREADS);
        });
    }

    // ------------------------------------------------------------------ stages that cannot do everything

    @Test
    void aStageThatIsNoFutureReleasesWhenItEnds() {
        with(service -> {
            CompletableFuture<String> result = service.inconvertible().toCompletableFuture();
            assertThat(executor.isHeld("stage")).isTrue();
            on("event-loop", () -> service.ownStage().complete("done"));
            assertThat(resultOf(result)).isEqualTo("done");
            assertThat(executor.isHeld("stage")).isFalse();
        });
    }

    @Test
    void aStageThatCannotBeListenedToReleasesAndFailsTheResult() {
        with(service -> {
            CompletableFuture<String> atOnce = service.deaf().toCompletableFuture();
            assertThat(catchThrowable(() -> resultOf(atOnce))).cause().hasMessage("deaf");
            assertThat(executor.isHeld("deaf")).isFalse();
            Lease other = executor.occupy("deaf");
            CompletableFuture<String> later = service.deaf().toCompletableFuture();
            other.release();
            assertThat(catchThrowable(() -> resultOf(later))).cause().hasMessage("deaf");
        });
    }

    // ------------------------------------------------------------------ what is locked

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class ServiceConfiguration {}

    /** What the contract of a stage allows. */
    static class Inconvertible extends CompletableFuture<String> {

        @Override
        public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException("no future");
        }
    }

    static class Deaf extends CompletableFuture<String> {

        @Override
        public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
            throw new IllegalStateException("deaf");
        }
    }

    static class Service {

        private final CompletableFuture<String> own = new CompletableFuture<>();
        private final Inconvertible ownStage = new Inconvertible();

        CompletableFuture<String> own() {
            return own;
        }

        CompletableFuture<String> ownStage() {
            return ownStage;
        }

        @DistributionLock(key = "future")
        public CompletableFuture<String> future() {
            return own;
        }

        @DistributionLock(key = "first")
        @DistributionLock(key = "second", tryLockTime = 20)
        public CompletableFuture<String> both() {
            return own;
        }

        @DistributionLock(key = "stage")
        public CompletionStage<String> inconvertible() {
            return ownStage;
        }

        @DistributionLock(key = "deaf")
        public CompletionStage<String> deaf() {
            return new Deaf();
        }
    }
}
