package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOutcome;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.context.ContextRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** Methods whose result comes later hold their lock until then. */
@Tag("boot4")
class AsynchronousMethodTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Body test) {
        LockContextRunner.with(executor, ServiceConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.run(context.getBean(Service.class), context.getBean(State.class));
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service, State state) throws Exception;
    }

    // ------------------------------------------------------------------ futures

    @Test
    void aMethodThatThrowsInsteadOfReturningAFutureReleases() {
        with((service, state) -> {
            assertThatThrownBy(service::throwingFuture)
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("at once");
            assertThat(executor.isHeld("throwing")).isFalse();
        });
    }

    /** The completion of a future that was cancelled does not say whether its work has ended. */
    @Test
    void cancellingTheResultKeepsTheLockUntilTheWorkHasEnded() {
        with((service, state) -> {
            CompletableFuture<String> result = service.future();
            assertThat(result.cancel(true)).isTrue();
            assertThat(state.own).isNotDone();
            assertThat(executor.isHeld("future")).isTrue();
            state.own.complete("ended after all");
            assertThat(executor.isHeld("future")).isFalse();
        });
    }

    @Test
    void cancellingTheResultAfterAWaitKeepsTheLockUntilTheWorkHasEnded() {
        with((service, state) -> {
            Lease other = executor.occupy("future");
            CompletableFuture<String> result = service.future();
            CompletableFuture<String> value = result.thenApply(done -> done);
            other.release();
            Awaitility.await().atMost(LONG).until(() -> state.own.getNumberOfDependents() > 0);
            assertThat(result.cancel(true)).isTrue();
            assertThat(value).isCompletedExceptionally();
            assertThat(state.own).isNotDone();
            assertThat(executor.isHeld("future")).isTrue();
            state.own.complete("ended after all");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("future"));
        });
    }

    @Test
    void cancellingWhileWaitingEndsTheAttempt() {
        with((service, state) -> {
            Lease other = executor.occupy("future");
            CompletableFuture<String> result = service.future();
            assertThat(executor.waiting()).isOne();
            result.cancel(true);
            assertThat(executor.waiting()).isZero();
            other.release();
            assertThat(state.calls.get()).isZero();
        });
    }

    @Test
    void aLostLeaseFailsTheFutureIfTheMethodSaysSo() {
        with((service, state) -> {
            CompletableFuture<String> result = service.futureThatThrowsWhenLost();
            executor.leases().get(0).lose();
            state.own.complete("done");
            assertThat(catchThrowable(() -> result.get(20, TimeUnit.SECONDS)))
                    .cause()
                    .isInstanceOf(LockLostException.class);
        });
    }

    @Test
    void aFutureDoesNotEnterTheLockOfItsThread() {
        with((service, state) -> {
            service.outerOfFuture();
            assertThat(state.inner.get().get(20, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(executor.events())
                    .containsExactly("lock future", "unlock future", "lock future", "unlock future");
        });
    }

    @Test
    void callsInsideOfAMethodEnterTheLockOfItsFuture() {
        with((service, state) -> {
            state.own.complete("done");
            assertThat(service.futureOfFuture().get(20, TimeUnit.SECONDS)).isEqualTo("done blocking");
            assertThat(executor.events()).containsExactly("lock future", "unlock future");
        });
    }

    @Test
    void proceedRunsAnAsynchronousMethodWithoutItsLock() {
        with((service, state) -> {
            IllegalStateException down = new IllegalStateException("down");
            executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, down));
            assertThat(service.proceedingFuture().get(20, TimeUnit.SECONDS)).isEqualTo("ran");
            executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, down));
            assertThat(service.proceedingMono().block(LONG)).isEqualTo("ran");
            assertThat(executor.events()).isEmpty();
        });
    }

    // ------------------------------------------------------------------ @Async

    @Test
    void anAsyncMethodAcquiresItsLockOnTheAsynchronousThread() {
        with((service, state) -> {
            Lease other = executor.occupy("async");
            CompletableFuture<String> result = service.async();
            Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 1);
            assertThat(result).isNotDone();
            other.release();
            assertThat(result.get(20, TimeUnit.SECONDS)).startsWith("async-").endsWith("held=true");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("async"));
        });
    }

    /** Cancelling what the caller got interrupts the thread; the lock is held until the work ends, and then the thread knows. */
    @Test
    void anInterruptWhileTheWorkOfAnAsyncMethodGoesOnIsLeftToItsThread() {
        with((service, state) -> {
            Future<String> result = service.asyncFuture();
            Awaitility.await().atMost(LONG).until(() -> state.asyncThread.get() != null);
            assertThat(result.cancel(true)).isTrue();
            Awaitility.await().atMost(LONG).until(() -> !state.asyncThread.get().isInterrupted());
            assertThat(executor.isHeld("asyncFuture")).isTrue();
            state.work.run();
            Awaitility.await().atMost(LONG).until(() -> state.interruptedAtTheEnd.get() != null);
            assertThat(state.interruptedAtTheEnd).hasValue(true);
        });
    }

    @Test
    void anAsyncMethodWithoutAResultIsLockedWhileItRuns() {
        with((service, state) -> {
            service.asyncVoid();
            assertThat(state.inside.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(executor.isHeld("asyncVoid")).isTrue();
            state.goOn.countDown();
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("asyncVoid"));
        });
    }

    // ------------------------------------------------------------------ Mono and Flux

    @Test
    void aMonoAcquiresTheLockForEachSubscription() {
        with((service, state) -> {
            Mono<String> mono = service.mono();
            assertThat(executor.requests()).isEmpty();
            assertThat(mono.block(LONG)).isEqualTo("call 1 held=true");
            assertThat(executor.isHeld("mono")).isFalse();
            assertThat(mono.block(LONG)).isEqualTo("call 2 held=true");
            assertThat(executor.events()).containsExactly("lock mono", "unlock mono", "lock mono", "unlock mono");
        });
    }

    @Test
    void anEmptyMonoStaysEmptyAndAFailedOneFailsTheSame() {
        with((service, state) -> {
            assertThat(service.emptyMono().blockOptional(LONG)).isEmpty();
            assertThatThrownBy(() -> service.failingMono().block(LONG))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("own");
            assertThat(executor.nothingHeldOrWaiting()).isTrue();
        });
    }

    @Test
    void aFluxHoldsTheLockFromItsFirstElementToItsLast() {
        with((service, state) -> {
            List<String> seen = new ArrayList<>();
            service.flux()
                    .doOnNext(each -> seen.add(each + executor.isHeld("flux")))
                    .blockLast(LONG);
            assertThat(seen).containsExactly("atrue", "btrue");
            assertThat(executor.isHeld("flux")).isFalse();
        });
    }

    @Test
    void aCancelledSubscriptionReleases() {
        with((service, state) -> {
            Disposable subscription = service.endless().subscribe();
            Awaitility.await().atMost(LONG).until(() -> executor.isHeld("endless"));
            subscription.dispose();
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("endless"));
        });
    }

    @Test
    void aSubscriptionCancelledWhileWaitingLeavesNothing() {
        with((service, state) -> {
            Lease other = executor.occupy("mono");
            Disposable subscription = service.mono().subscribe();
            Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 1);
            subscription.dispose();
            Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 0);
            other.release();
            assertThat(state.calls.get()).isZero();
        });
    }

    /** It is granted, but the callback thread has not come as far as the method: it is still to learn what its caller knows. */
    @Test
    void aSubscriptionCancelledBetweenTheGrantAndTheMethodReleases() {
        CountDownLatch granted = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        ContextRegistry known = ContextRegistry.getInstance();
        known.registerThreadLocalAccessor("gate", () -> "open", value -> passGate(granted, cancelled), () -> {});
        try {
            with((service, state) -> {
                Lease other = executor.occupy("mono");
                Disposable subscription = service.mono().subscribe();
                Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 1);
                other.release();
                assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
                subscription.dispose();
                cancelled.countDown();
                Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
                assertThat(state.calls.get()).isZero();
            });
        } finally {
            known.removeThreadLocalAccessor("gate");
        }
    }

    private static void passGate(CountDownLatch arrived, CountDownLatch open) {
        if (Thread.currentThread().getName().equals("distribution-lock-callbacks")) {
            arrived.countDown();
            try {
                open.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void reEntryFollowsTheReactorContext() {
        with((service, state) -> {
            assertThat(service.outerMono().block(LONG)).isEqualTo("call 1 held=true");
            assertThat(executor.events()).containsExactly("lock mono", "unlock mono");
        });
    }

    @Test
    void callsInsideTheSameCallExcludeEachOther() {
        with((service, state) -> assertOneAfterTheOther(service.batch(), state));
    }

    @Test
    void callsInsideTheSameCallExcludeEachOtherOnLocksThatItDoesNotHold() {
        with((service, state) -> {
            assertOneAfterTheOther(service.batchThatIsEnteredAgain(), state);
            assertThat(executor.events())
                    .containsExactly(
                            "lock batch",
                            "lock item:7",
                            "unlock item:7",
                            "lock item:7",
                            "unlock item:7",
                            "unlock batch");
        });
    }

    /** The first is inside when the second waits, and the second comes in when the first has ended. */
    private void assertOneAfterTheOther(Flux<String> batch, State state) throws Exception {
        CompletableFuture<List<String>> result = batch.collectList().toFuture();
        Awaitility.await().atMost(LONG).until(() -> state.calls.get() == 1 && executor.waiting() == 1);
        state.sink.tryEmitValue("first");
        Awaitility.await().atMost(LONG).until(() -> state.calls.get() == 2);
        assertThat(executor.isHeld("item:7")).isTrue();
        state.second.tryEmitValue("second");
        assertThat(result.get(20, TimeUnit.SECONDS)).containsExactly("first", "second");
    }

    @Test
    void whatACallAroundTheCallAroundHoldsIsEnteredAgain() {
        with((service, state) -> {
            assertThat(service.outerOfOuterMono().block(LONG)).isEqualTo("call 1 held=true");
            assertThat(executor.events()).containsExactly("lock mono", "lock between", "unlock between", "unlock mono");
        });
    }

    @Test
    void aCallThatOutlivesTheOneAroundItHasALockOfItsOwn() {
        with((service, state) -> {
            Context captured = service.context().block(LONG);
            CompletableFuture<String> first =
                    service.item().contextWrite(captured).toFuture();
            CompletableFuture<String> second =
                    service.item().contextWrite(captured).toFuture();
            Awaitility.await().atMost(LONG).until(() -> state.calls.get() == 1 && executor.waiting() == 1);
            state.sink.tryEmitValue("first");
            state.second.tryEmitValue("second");
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("first");
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("second");
        });
    }

    @Test
    void aLostLeaseFailsTheMonoIfTheMethodSaysSo() {
        with((service, state) -> {
            CompletableFuture<String> result = service.monoThatThrowsWhenLost().toFuture();
            executor.leases().get(0).lose();
            state.sink.tryEmitValue("done");
            assertThat(catchThrowable(() -> result.get(20, TimeUnit.SECONDS)))
                    .cause()
                    .isInstanceOf(LockLostException.class);
        });
    }

    // ------------------------------------------------------------------ what is locked

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class ServiceConfiguration {

        @Bean
        Service service(ScriptedLockExecutor executor, State state, ObjectProvider<Service> self) {
            return new Service(executor, state, self);
        }

        @Bean
        State state() {
            return new State();
        }

        @Bean
        TaskExecutor taskExecutor(State state) {
            SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor("async-");
            executor.setTaskDecorator(task -> () -> {
                task.run();
                state.interruptedAtTheEnd.set(Thread.currentThread().isInterrupted());
            });
            return executor;
        }
    }

    /** What the methods of the service return, in the hands of the test. */
    static class State {
        final CompletableFuture<String> own = new CompletableFuture<>();
        final Sinks.One<String> sink = Sinks.one();
        final Sinks.One<String> second = Sinks.one();
        final AtomicReference<CompletableFuture<String>> inner = new AtomicReference<>();
        final FutureTask<String> work = new FutureTask<>(() -> "done");
        final AtomicReference<Thread> asyncThread = new AtomicReference<>();
        final AtomicReference<Boolean> interruptedAtTheEnd = new AtomicReference<>();
        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
    }

    static class Service {

        private final ScriptedLockExecutor executor;
        private final State state;
        private final ObjectProvider<Service> self;

        Service(ScriptedLockExecutor executor, State state, ObjectProvider<Service> self) {
            this.executor = executor;
            this.state = state;
            this.self = self;
        }

        @DistributionLock(key = "future")
        public CompletableFuture<String> future() {
            state.calls.incrementAndGet();
            return state.own;
        }

        @DistributionLock(key = "throwing")
        public CompletableFuture<String> throwingFuture() {
            throw new IllegalArgumentException("at once");
        }

        @DistributionLock(key = "lost", onLost = OnLost.THROW)
        public CompletableFuture<String> futureThatThrowsWhenLost() {
            return state.own;
        }

        @DistributionLock(key = "future")
        public void outerOfFuture() {
            state.own.complete("done");
            CompletableFuture<String> inner = self.getObject().future();
            assertThat(inner).isNotDone();
            state.inner.set(inner);
        }

        @DistributionLock(key = "future")
        public CompletableFuture<String> futureOfFuture() {
            String blocking = self.getObject().blocking();
            return self.getObject().future().thenApply(done -> done + " " + blocking);
        }

        @DistributionLock(key = "future", tryLockTime = 0)
        public String blocking() {
            return "blocking";
        }

        @DistributionLock(key = "proceed", onBackendFailure = OnBackendFailure.PROCEED)
        public CompletableFuture<String> proceedingFuture() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributionLock(key = "proceed", onBackendFailure = OnBackendFailure.PROCEED)
        public Mono<String> proceedingMono() {
            return Mono.just("ran");
        }

        @Async
        @DistributionLock(key = "async")
        public CompletableFuture<String> async() {
            return CompletableFuture.completedFuture(
                    Thread.currentThread().getName() + " held=" + executor.isHeld("async"));
        }

        @Async
        @DistributionLock(key = "asyncFuture")
        public Future<String> asyncFuture() {
            state.asyncThread.set(Thread.currentThread());
            return state.work;
        }

        @Async
        @DistributionLock(key = "asyncVoid")
        public void asyncVoid() throws InterruptedException {
            state.inside.countDown();
            if (!state.goOn.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("never told to go on");
            }
        }

        @DistributionLock(key = "mono")
        public Mono<String> mono() {
            return Mono.just("call " + state.calls.incrementAndGet() + " held=" + executor.isHeld("mono"));
        }

        @DistributionLock(key = "empty")
        public Mono<String> emptyMono() {
            return Mono.empty();
        }

        @DistributionLock(key = "failing")
        public Mono<String> failingMono() {
            return Mono.error(new IllegalArgumentException("own"));
        }

        @DistributionLock(key = "flux")
        public Flux<String> flux() {
            return Flux.just("a", "b");
        }

        @DistributionLock(key = "endless")
        public Flux<String> endless() {
            return Flux.never();
        }

        @DistributionLock(key = "mono")
        public Mono<String> outerMono() {
            return Mono.defer(() -> self.getObject().mono());
        }

        @DistributionLock(key = "between")
        public Mono<String> between() {
            return Mono.defer(() -> self.getObject().mono());
        }

        @DistributionLock(key = "mono")
        public Mono<String> outerOfOuterMono() {
            return Mono.defer(() -> self.getObject().between());
        }

        @DistributionLock(key = "batch")
        public Flux<String> batch() {
            return Flux.range(0, 2).flatMap(i -> self.getObject().item());
        }

        @DistributionLock(key = "batch")
        public Flux<String> batchThatIsEnteredAgain() {
            return Flux.range(0, 2).flatMap(i -> self.getObject().itemOfBatch());
        }

        @DistributionLock(key = "item:7", tryLockTime = 20_000)
        public Mono<String> item() {
            return state.calls.incrementAndGet() == 1 ? state.sink.asMono() : state.second.asMono();
        }

        @DistributionLock(key = "batch")
        @DistributionLock(key = "item:7", tryLockTime = 20_000)
        public Mono<String> itemOfBatch() {
            return item();
        }

        @DistributionLock(key = "item:7")
        public Mono<Context> context() {
            return Mono.deferContextual(context -> Mono.just(Context.of(context)));
        }

        @DistributionLock(key = "lost", onLost = OnLost.THROW)
        public Mono<String> monoThatThrowsWhenLost() {
            return state.sink.asMono();
        }
    }
}
