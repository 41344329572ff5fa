package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.MultiLock;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RecordingTransactionManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Work never begins without its lock, though the lock was acquired a moment ago, and whatever {@code onLost} says. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LostBeforeTheWorkTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<String> transactions = new CopyOnWriteArrayList<>();
    private final PlatformTransactionManager transactionManager = new RecordingTransactionManager(transactions);
    private final Losing losing = new Losing();
    private final Service service = new Service();

    private ApplicationContextRunner application() {
        return LockContextRunner.local()
                // A call that loses its lock before the work asks again for that long.
                .withPropertyValues("distribution-lock.defaults.try-lock-time=500ms")
                .withBean(Losing.class, () -> losing)
                .withBean(Service.class, () -> service)
                .withBean(PlatformTransactionManager.class, () -> transactionManager);
    }

    private void with(Body test) {
        with(application(), test);
    }

    private void with(ApplicationContextRunner application, Body test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            LockTemplate locks = context.getBean(LockTemplate.class);
            test.run(context.getBean(Service.class), locks);
            for (String name : losing.asked) {
                awaitFree(locks, name);
            }
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @FunctionalInterface
    private interface Body {
        void run(Service proxy, LockTemplate locks) throws Exception;
    }

    private static void awaitFree(LockTemplate locks, String name) {
        Awaitility.await(name).atMost(LONG).until(() -> !locks.lock(name).isLocked());
    }

    private static Lease occupy(LockTemplate locks, String name) throws Exception {
        LockOutcome outcome = locks.acquireAsync(
                        locks.request(name).tryLockTime(LONG).build())
                .get(20, TimeUnit.SECONDS);
        return ((LockOutcome.Acquired) outcome).lease();
    }

    private static <T> CompletableFuture<T> started(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "caller").start());
    }

    private static void assertRefused(@Nullable Throwable thrown) {
        Throwable refusal = thrown instanceof CompletionException wrapped ? wrapped.getCause() : thrown;
        assertThat(refusal).isExactlyInstanceOf(LockNotAcquiredException.class).hasMessageContaining("did not run");
        assertThat(((LockNotAcquiredException) refusal).reason()).isEqualTo(LockFailureReason.BUSY);
    }

    // ------------------------------------------------------------------ one lock

    @ParameterizedTest
    @EnumSource(OnLost.class)
    void noMethodBegins(OnLost onLost, CapturedOutput output) {
        with((proxy, locks) -> {
            losing.loses("report", "throw", "interrupt");
            assertRefused(catchThrowable(() -> call(proxy, onLost)));
            assertThat(service.begun).hasValue(0);
            assertThat(output).doesNotContain("undo the work");
            losing.loses();
            call(proxy, onLost);
            assertThat(service.begun).hasValue(1);
        });
    }

    private static String call(Service proxy, OnLost onLost) {
        return switch (onLost) {
            case REPORT -> proxy.report();
            case THROW -> proxy.throwing();
            case INTERRUPT -> proxy.interrupt();
        };
    }

    @ParameterizedTest
    @EnumSource(OnLost.class)
    void noWorkInCodeBegins(OnLost onLost) {
        with((proxy, locks) -> {
            losing.loses("code", "more");
            LockRequest request = locks.request("code").onLost(onLost).build();
            MultiLock both = MultiLock.of(
                    locks,
                    List.of(
                            request,
                            locks.request("more").tryLockTime(Duration.ZERO).build()));
            assertRefused(catchThrowable(() -> locks.execute(request, service::begin)));
            assertRefused(catchThrowable(() -> both.execute(service::begin)));
            assertThat(locks.tryExecute(request, service::begin).ran()).isFalse();
            assertThat(both.tryExecute(service::begin).ran()).isFalse();
            assertThat(service.begun).hasValue(0);
        });
    }

    @Test
    void noLeaseIsHandedOver() {
        with((proxy, locks) -> {
            losing.loses("code");
            LockRequest request = locks.request("code").build();
            assertRefused(catchThrowable(() -> locks.acquire("code")));
            assertThat(locks.tryAcquire(request)).isEmpty();
            assertThat(locks.attempt(request)).isInstanceOf(LockOutcome.Lost.class);
            assertThat(locks.lock("code").tryLock()).isFalse();
            assertThat(locks.lock("code").tryLock(1, TimeUnit.SECONDS)).isFalse();
        });
    }

    /** It waits without end. */
    @Test
    void aViewThatLocksAsksAgain() {
        with((proxy, locks) -> {
            DistributedLock lock = locks.lock("code");
            for (Locking locking : List.<Locking>of(lock::lock, lock::lockInterruptibly)) {
                losing.loses("code");
                losing.acquired.clear();
                CompletableFuture<Boolean> held = started(() -> {
                    locking.lock();
                    boolean valid = lock.isHeldByCurrentThread();
                    lock.unlock();
                    return valid;
                });
                Awaitility.await().atMost(LONG).until(() -> losing.acquired.contains("code"));
                losing.loses();
                assertThat(held).succeedsWithin(LONG).isEqualTo(true);
            }
        });
    }

    @FunctionalInterface
    private interface Locking {
        void lockInterruptibly() throws InterruptedException;

        default void lock() {
            try {
                lockInterruptibly();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void noFutureAndNoMonoBegins() {
        with((proxy, locks) -> {
            losing.loses("future", "mono");
            assertRefused(catchThrowable(() -> proxy.future().join()));
            assertRefused(catchThrowable(() -> proxy.mono().block(LONG)));
            assertThat(service.begun).hasValue(0);
        });
    }

    @Test
    void itIsAnsweredAsABusyLock() {
        with((proxy, locks) -> {
            losing.loses("fallback", "skip", "repeats");
            assertThat(proxy.withFallback()).isEqualTo("later");
            assertThat(proxy.skipped()).isNull();
            assertRefused(catchThrowable(proxy::once));
            losing.loses();
            // Nothing was done that could be repeated.
            assertThat(proxy.once()).isEqualTo("begun");
        });
    }

    @Test
    void anOuterTransactionGoesOn() {
        with((proxy, locks) -> {
            losing.loses("throw");
            new TransactionTemplate(transactionManager)
                    .executeWithoutResult(status -> assertRefused(catchThrowable(proxy::throwing)));
            assertThat(transactions).containsExactly("begin", "commit");
        });
    }

    // ------------------------------------------------------------------ several locks

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void theOthersAreFreeAtOnceThoughTheyHaveAMinimumHoldTime(String lost) {
        with((proxy, locks) -> {
            losing.loses("least:" + lost);
            assertRefused(catchThrowable(() -> proxy.heldAtLeast(List.of("a", "b"))));
            assertThat(service.begun).hasValue(0);
            losing.loses();
            assertThat(locks.execute(locks.request("least:a").tryLockTime(LONG).build(), () -> "free"))
                    .isEqualTo("free");
        });
    }

    private interface Way {
        boolean call(Service proxy);
    }

    private static final Map<String, Way> WAYS = Map.of(
            "each", proxy -> proxy.each(List.of("a", "b")),
            "repeated", Service::repeated,
            "future", proxy -> proxy.eachOfFuture(List.of("a", "b")).join(),
            "mono",
                    proxy -> Boolean.TRUE.equals(
                            proxy.eachOfMono(List.of("a", "b")).block(LONG)));

    static Stream<Arguments> losses() {
        return WAYS.keySet().stream().flatMap(way -> Stream.of(false, true).map(forced -> Arguments.of(way, forced)));
    }

    @ParameterizedTest(name = "{0}, by force: {1}")
    @MethodSource("losses")
    void whatIsLostWhileAnotherIsWaitedForIsAcquiredAgain(String way, boolean forced) {
        String names = way.equals("repeated") ? "repeated-" : way + ":";
        String lock = "distribution-lock.locks." + (way.equals("repeated") ? "repeated-a" : way);
        String[] fixed = {lock + ".renewed=false", lock + ".lease-time=" + (forced ? "1h" : "2s")};
        with(application().withPropertyValues(fixed), (proxy, locks) -> {
            String first = names + "a";
            Lease busy = occupy(locks, names + "b");
            CompletableFuture<Boolean> call = started(() -> WAYS.get(way).call(proxy));
            Awaitility.await().atMost(LONG).until(() -> losing.acquired.contains(first));
            if (forced) {
                locks.forceRelease(first).join();
            }
            awaitFree(locks, first);
            busy.release();
            assertThat(call.get(60, TimeUnit.SECONDS)).as("all were held").isTrue();
        });
    }

    /** Loses locks after they are acquired and before their caller hears of it, as a pause of the process does. */
    static class Losing implements LockTemplateCustomizer {

        final Set<String> asked = ConcurrentHashMap.newKeySet();
        final Set<String> acquired = ConcurrentHashMap.newKeySet();
        private volatile Set<String> lost = Set.of();

        void loses(String... names) {
            lost = Set.of(names);
        }

        @Override
        public void customize(LockTemplate.Builder builder) {
            builder.decorate(executor -> new DelegatingLockExecutor(executor) {
                @Override
                public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                    asked.add(request.name());
                    // One that is lost is free: what ends its wait is the loss, and not a late answer.
                    LockRequest patient = lost.contains(request.name())
                            ? request.toBuilder().tryLockTime(LONG).build()
                            : request;
                    CompletableFuture<LockOutcome> attempt = super.acquire(patient, owner);
                    attempt.thenAccept(outcome -> {
                        if (outcome instanceof LockOutcome.Acquired) {
                            acquired.add(request.name());
                        }
                    });
                    return lost.contains(request.name())
                            ? attempt.thenCompose(outcome -> whenLost(outcome, executor))
                            : attempt;
                }
            });
        }

        private static CompletableFuture<LockOutcome> whenLost(LockOutcome outcome, LockExecutor executor) {
            if (!(outcome instanceof LockOutcome.Acquired acquired)) {
                return CompletableFuture.completedFuture(outcome);
            }
            CompletableFuture<LockOutcome> lost = new CompletableFuture<>();
            acquired.lease().onLost(lease -> lost.complete(outcome));
            executor.forceRelease(acquired.lease().name());
            return lost;
        }
    }

    static class Service {

        final AtomicInteger begun = new AtomicInteger();

        String begin() {
            begun.incrementAndGet();
            return "begun";
        }

        private static boolean allHeld(int count) {
            return LockContext.leases().size() == count && LockContext.isHeld();
        }

        @DistributionLock(key = "report")
        public String report() {
            return begin();
        }

        @DistributionLock(key = "throw", onLost = OnLost.THROW)
        public String throwing() {
            return begin();
        }

        @DistributionLock(key = "interrupt", onLost = OnLost.INTERRUPT)
        public String interrupt() {
            return begin();
        }

        @DistributionLock(key = "future")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture(begin());
        }

        @DistributionLock(key = "mono")
        public Mono<String> mono() {
            return Mono.just(begin());
        }

        @DistributionLock(key = "fallback", fallbackMethod = "later")
        public String withFallback() {
            return begin();
        }

        String later() {
            return "later";
        }

        @DistributionLock(key = "skip", onBusy = OnBusy.SKIP)
        public @Nullable String skipped() {
            return begin();
        }

        @RefuseRepeats(key = "repeats", within = "500ms")
        public String once() {
            return begin();
        }

        @DistributionLock(key = "least", minHoldTime = 3_600_000)
        public String heldAtLeast(@DistributionLockParam(each = true) List<String> codes) {
            return begin();
        }

        @DistributionLock(key = "each", tryLockTime = 30_000)
        public boolean each(@DistributionLockParam(each = true) List<String> codes) {
            return allHeld(2);
        }

        @DistributionLock(key = "repeated-a", tryLockTime = 30_000)
        @DistributionLock(key = "repeated-b", tryLockTime = 30_000)
        public boolean repeated() {
            return allHeld(2);
        }

        @DistributionLock(key = "future", tryLockTime = 30_000)
        public CompletableFuture<Boolean> eachOfFuture(@DistributionLockParam(each = true) List<String> codes) {
            return CompletableFuture.completedFuture(allHeld(2));
        }

        @DistributionLock(key = "mono", tryLockTime = 30_000)
        public Mono<Boolean> eachOfMono(@DistributionLockParam(each = true) List<String> codes) {
            return Mono.just(allHeld(2));
        }
    }
}
