package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.observation.ObservedLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** However a future of the library ends, its attempt ends as well, and whoever waits is told what ended it. */
@Tag("threads")
class FuturesTest {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final LockOutcome.Busy GIVEN = new LockOutcome.Busy(Duration.ofDays(1));
    private static final IllegalStateException FAILURE = new IllegalStateException("of the test");

    private final LocalLockExecutor executor = new LocalLockExecutor();
    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        executor.close();
    }

    /** Where futures of attempts come from. */
    enum Door {
        TEMPLATE {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return new LockTemplate(executor, LockDefaults.STANDARD).acquireAsync(FOREVER);
            }
        },
        TEMPLATE_FOR_A_TOKEN {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return new LockTemplate(executor, LockDefaults.STANDARD)
                        .acquireAsync(LockRequest.named("busy")
                                .tryLockTime(LockRequest.FOREVER)
                                .fenced()
                                .build());
            }
        },
        OBSERVED_TEMPLATE {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return TEMPLATE.attempt(new ObservedLockExecutor(executor, List.of(new CountingObserver())));
            }
        },
        SEVERAL {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return MultiLock.of(
                                new LockTemplate(executor, LockDefaults.STANDARD),
                                List.of(LockRequest.named("a free one").build(), FOREVER))
                        .attemptAsync(LockOwner.unique());
            }
        },
        EXECUTOR {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return executor.acquire(FOREVER, LockOwner.unique());
            }
        },
        OBSERVED_EXECUTOR {
            @Override
            CompletableFuture<?> attempt(LockExecutor executor) {
                return new ObservedLockExecutor(executor, List.of(new CountingObserver()))
                        .acquire(FOREVER, LockOwner.unique());
            }
        };

        static final LockRequest FOREVER =
                LockRequest.named("busy").tryLockTime(LockRequest.FOREVER).build();

        abstract CompletableFuture<?> attempt(LockExecutor executor);
    }

    /** How a holder of a future, or of a stage of it, may end it. */
    enum Way {
        CANCEL(future -> future.cancel(true)),
        COMPLETE(future -> future.complete(null)),
        COMPLETE_EXCEPTIONALLY(future -> future.completeExceptionally(FAILURE)),
        COMPLETE_ASYNC(future -> future.completeAsync(() -> null)),
        OR_TIMEOUT(future -> future.orTimeout(50, TimeUnit.MILLISECONDS)),
        COMPLETE_ON_TIMEOUT(future -> future.completeOnTimeout(null, 50, TimeUnit.MILLISECONDS)),
        OBTRUDE_VALUE(future -> future.obtrudeValue(null)),
        OBTRUDE_EXCEPTION(future -> future.obtrudeException(FAILURE));

        final Consumer<CompletableFuture<?>> body;

        Way(Consumer<CompletableFuture<?>> body) {
            this.body = body;
        }
    }

    static Stream<Arguments> waysOfAllDoors() {
        return Stream.of(Door.values()).flatMap(door -> Stream.of(Way.values()).map(way -> Arguments.of(door, way)));
    }

    @ParameterizedTest
    @MethodSource("waysOfAllDoors")
    void howeverItEndsItsAttemptEnds(Door door, Way way) {
        Lease held = locks.acquire("busy");
        CompletableFuture<?> future = door.attempt(executor);
        awaitWaiting(1);
        way.body.accept(future);
        awaitWaiting(0);
        assertThat(executor.isLocked("a free one").join()).isFalse();
        held.release();
        awaitFree();
    }

    /** The JDK does not call the stage any more: nobody would release the lock. */
    @ParameterizedTest
    @EnumSource
    void whenTheOnlyStageEndsTheAttemptEnds(Way way) {
        for (Door door : List.of(Door.TEMPLATE, Door.OBSERVED_TEMPLATE, Door.SEVERAL)) {
            Lease held = locks.acquire("busy");
            CompletableFuture<?> attempt = door.attempt(executor);
            CompletableFuture<?> stage = attempt.thenApply(outcome -> FAILURE)
                    .thenCompose(CompletableFuture::failedFuture)
                    .handle((unused, failure) -> "handled");
            awaitWaiting(1);
            way.body.accept(stage);
            awaitWaiting(0);
            held.release();
            awaitFree();
            assertThat(attempt).isCancelled();
            assertThat(attempt.handle((unused, failure) -> failure.getMessage()).join())
                    .contains("every stage");
        }
    }

    /** The limit adds a stage, which nobody waits for. */
    @ParameterizedTest
    @EnumSource
    void anAttemptWithALimitEndsWithItsStageBeforeThat(Way way) {
        for (Door door : List.of(Door.TEMPLATE, Door.OBSERVED_TEMPLATE, Door.SEVERAL)) {
            Lease held = locks.acquire("busy");
            CompletableFuture<?> stage =
                    door.attempt(executor).orTimeout(1, TimeUnit.HOURS).thenApply(outcome -> "told");
            awaitWaiting(1);
            way.body.accept(stage);
            awaitWaiting(0);
            held.release();
            awaitFree();
        }
    }

    /** As long as it waits; its work goes on. */
    @ParameterizedTest
    @EnumSource
    void aMethodWhoseResultEndsStopsWaiting(Way way) {
        LockContextRunner.local(Methods.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            LocalLockExecutor own = context.getBean(LocalLockExecutor.class);
            Methods.Service service = context.getBean(Methods.Service.class);
            Lease held = template.acquireAsync(Door.FOREVER)
                    .thenApply(FuturesTest::leaseOf)
                    .get();
            CompletableFuture<String> waiting = service.later(CompletableFuture.completedFuture("too late"));
            await().atMost(MAX_WAIT).until(() -> own.snapshot().waiting().size() == 1);
            way.body.accept(waiting);
            await().atMost(MAX_WAIT).until(() -> own.snapshot().waiting().isEmpty());
            held.release();

            CompletableFuture<String> work = new CompletableFuture<>();
            way.body.accept(service.later(work));
            assertThat(template.lock("busy").isLocked()).isTrue();
            work.complete("done");
            await().atMost(MAX_WAIT).until(() -> !template.lock("busy").isLocked());
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Methods.Service.class)
    static class Methods {

        static class Service {

            @DistributionLock(key = "busy", tryLockTime = 300_000)
            public CompletableFuture<String> later(CompletableFuture<String> work) {
                return work;
            }
        }
    }

    private static Lease leaseOf(LockOutcome outcome) {
        return ((LockOutcome.Acquired) outcome).lease();
    }

    @Test
    void anAttemptThatSomebodyElseFollowsGoesOn() throws Exception {
        List<Consumer<CompletableFuture<LockOutcome>>> others = List.of(
                attempt -> attempt.thenRun(() -> {}),
                attempt -> CompletableFuture.allOf(attempt, new CompletableFuture<>()),
                attempt -> new CompletableFuture<>().acceptEither(attempt, any -> {}),
                attempt -> elsewhere(attempt::join));
        for (Consumer<CompletableFuture<LockOutcome>> other : others) {
            Lease held = locks.acquire("busy");
            CompletableFuture<LockOutcome> attempt = locks.acquireAsync(Door.FOREVER);
            other.accept(attempt);
            await().atMost(MAX_WAIT).until(() -> attempt.getNumberOfDependents() == 1);
            attempt.thenApply(outcome -> outcome).cancel(true);
            attempt.copy()
                    .orTimeout(1, TimeUnit.MILLISECONDS)
                    .handle((outcome, failure) -> true)
                    .get();
            held.release();
            LockOutcome outcome = attempt.get(60, TimeUnit.SECONDS);
            leaseOf(outcome).release();
        }
    }

    @Test
    void aCopyThatEndsLeavesTheAttemptAsItIs() throws Exception {
        Lease held = locks.acquire("busy");
        CompletableFuture<LockOutcome> attempt = locks.acquireAsync(Door.FOREVER);
        attempt.copy().cancel(true);
        attempt.copy().thenRun(() -> {}).cancel(true);
        held.release();
        leaseOf(attempt.get(60, TimeUnit.SECONDS)).release();
    }

    @Test
    void whoeverWaitsIsToldWhatEndedIt() throws Exception {
        locks.acquire("busy");
        CompletableFuture<LockOutcome> completed = locks.acquireAsync(Door.FOREVER);
        CompletableFuture<LockOutcome> waited = elsewhere(completed::join);
        await().atMost(MAX_WAIT).until(() -> completed.getNumberOfDependents() == 1);
        assertThat(completed.complete(GIVEN)).isTrue();
        assertThat(completed.get()).isSameAs(GIVEN);
        assertThat(waited.get(60, TimeUnit.SECONDS)).isSameAs(GIVEN);

        CompletableFuture<LockOutcome> failed = locks.acquireAsync(Door.FOREVER);
        CompletableFuture<LockOutcome> stage = failed.thenApply(outcome -> outcome);
        assertThat(failed.completeExceptionally(FAILURE)).isTrue();
        for (CompletableFuture<LockOutcome> each : List.of(failed, stage)) {
            assertThatThrownBy(each::get).isInstanceOf(ExecutionException.class).hasCause(FAILURE);
        }

        CompletableFuture<LockOutcome> late = locks.acquireAsync(Door.FOREVER).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(late::get).isInstanceOf(ExecutionException.class).hasCauseInstanceOf(TimeoutException.class);
        CompletableFuture<LockOutcome> given =
                locks.acquireAsync(Door.FOREVER).completeOnTimeout(GIVEN, 1, TimeUnit.MILLISECONDS);
        assertThat(given.get()).isSameAs(GIVEN);
    }

    /** The stages run on the thread that ends the future. */
    @Test
    void aStageThatBlocksDoesNotKeepTheAttempt() {
        locks.acquire("busy");
        CompletableFuture<LockOutcome> attempt = locks.acquireAsync(Door.FOREVER);
        attempt.whenComplete((outcome, failure) -> awaitEnd());
        awaitWaiting(1);
        elsewhere(() -> attempt.complete(GIVEN));
        awaitWaiting(0);
        CompletableFuture<LockOutcome> another = locks.acquireAsync(Door.FOREVER);
        CompletableFuture<Boolean> stage = another.thenApply(outcome -> true);
        stage.whenComplete((outcome, failure) -> awaitEnd());
        awaitWaiting(1);
        elsewhere(() -> stage.complete(true));
        awaitWaiting(0);
    }

    @ParameterizedTest
    @EnumSource
    void aWaitWithALimitLeavesNothing(Door door) throws Exception {
        locks.acquire("busy");
        CompletableFuture<?> attempt = door.attempt(executor);
        int before = attempt.getNumberOfDependents();
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(() -> attempt.get(1, TimeUnit.MICROSECONDS)).isInstanceOf(TimeoutException.class);
        }
        assertThat(attempt.getNumberOfDependents()).isEqualTo(before);
    }

    @Test
    void aThousandThatTimeOutLeaveNoWaiter() {
        locks.acquire("busy");
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            attempts.add(locks.acquireAsync(Door.FOREVER).orTimeout(50, TimeUnit.MILLISECONDS));
        }
        await().atMost(MAX_WAIT).until(() -> attempts.stream().allMatch(CompletableFuture::isDone));
        awaitWaiting(0);
    }

    /** But for obtruding, which throws away what has come. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OBTRUDE_VALUE", "OBTRUDE_EXCEPTION"})
    void aTimeoutThatRacesWithAGrantLosesNoLock(Way way) {
        for (int i = 0; i < 30; i++) {
            Lease held = locks.acquire("busy");
            CompletableFuture<LockOutcome> attempt = locks.acquireAsync(Door.FOREVER);
            CompletableFuture<Boolean> stage = attempt.thenApply(outcome -> release(outcome));
            CompletableFuture<?> ended = i % 2 == 0 ? attempt : stage;
            CompletableFuture<?> ending = elsewhere(() -> {
                way.body.accept(ended);
                return true;
            });
            held.release();
            await().atMost(MAX_WAIT).until(() -> ending.isDone() && stage.isDone());
            awaitFree();
        }
    }

    private static boolean release(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            acquired.lease().release();
        }
        return true;
    }

    @Test
    void aStopMayHaveAnyLimit() throws Exception {
        locks.acquire("busy");
        CompletableFuture<Boolean> stopped = elsewhere(() -> {
            executor.stop(Duration.ofSeconds(Long.MAX_VALUE));
            return true;
        });
        await().atMost(MAX_WAIT)
                .until(() -> locks.attempt(LockRequest.named("other").build()) instanceof LockOutcome.BackendFailed);
        locks.forceRelease("busy").handle((wasHeld, failure) -> true).get(60, TimeUnit.SECONDS);
        assertThat(stopped.get(60, TimeUnit.SECONDS)).isTrue();
    }

    // ------------------------------------------------------------------ helpers

    private void awaitWaiting(int attempts) {
        await().atMost(MAX_WAIT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> executor.snapshot().waiting().size() == attempts);
    }

    private void awaitFree() {
        await().atMost(MAX_WAIT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> !executor.isLocked("busy").join()
                        && executor.snapshot().waiting().isEmpty());
    }

    private void awaitEnd() {
        try {
            end.await(5, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> CompletableFuture<T> elsewhere(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        });
    }
}
