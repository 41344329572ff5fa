package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A method that asks for its token gets it with the lock; no other method costs the command that draws one. */
@Tag("boot4")
class FencingTokenParameterTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    @AutoClose
    private final RedisProcess redis = RedisProcess.start();

    @FunctionalInterface
    private interface Body {
        void run(StockService service, LockTemplate locks) throws Exception;
    }

    private void with(Body body) {
        LockContextRunner.redis(redis.port()).withBean(StockService.class).run(context -> {
            assertThat(context).hasNotFailed();
            LockTemplate locks = context.getBean(LockTemplate.class);
            // Connects, subscribes, and tells Redis the scripts.
            try (Lease lease = locks.acquire("warm")) {
                assertThat(lease.fencingToken()).isPositive();
            }
            locks.acquire(locks.request("warm").fenced().build()).close();
            Awaitility.await().atMost(LONG).until(() -> !((List<?>) redis.command("PUBSUB", "CHANNELS")).isEmpty());
            redis.resetCalls();
            body.run(context.getBean(StockService.class), locks);
        });
    }

    /** One script acquires and draws, the other releases. */
    private void assertDrawnWithTheLock(Callable<Long> call) throws Exception {
        long last = 0;
        for (int i = 0; i < 3; i++) {
            redis.resetCalls();
            long token = call.call();
            assertThat(token).isGreaterThan(last);
            Awaitility.await()
                    .atMost(LONG)
                    .until(() -> redis.command("EXISTS", "distribution-lock:{stock:tea}")
                            .equals(0L));
            assertThat(redis.calls("evalsha")).isEqualTo(2);
            last = token;
        }
    }

    private void assertNoneDrawn(Callable<String> call) throws Exception {
        redis.resetCalls();
        for (int i = 0; i < 3; i++) {
            assertThat(call.call()).isEqualTo("no token");
        }
        Awaitility.await().atMost(LONG).until(() -> redis.calls("evalsha") == 3);
        assertThat(redis.command("EXISTS", "distribution-lock:{stock:tea}:fence"))
                .isEqualTo(0L);
    }

    @Test
    void aTokenParameterGetsTheTokenWithTheLock() {
        with((service, locks) -> {
            assertDrawnWithTheLock(() -> service.token("tea", 0));
            assertDrawnWithTheLock(() -> service.boxed("tea", null));
            assertDrawnWithTheLock(() -> service.future("tea", 0).get(LONG.toSeconds(), TimeUnit.SECONDS));
            assertDrawnWithTheLock(() -> service.mono("tea", 0).block(LONG));
            assertDrawnWithTheLock(() -> service.flux("tea", 0).blockLast(LONG));
            assertDrawnWithTheLock(() ->
                    service.mono("tea", 0).subscribeOn(Schedulers.parallel()).block(LONG));
        });
    }

    @Test
    void aLeaseParameterKnowsItsToken() {
        with((service, locks) -> {
            assertDrawnWithTheLock(() -> service.lease("tea", null));
            assertDrawnWithTheLock(() -> service.leaseMono("tea", null).block(LONG));
        });
    }

    @Test
    void everyLockOfSeveralHasItsToken() {
        with((service, locks) -> assertThat(service.each(List.of("tea", "coffee", "milk"), null))
                .hasSize(3)
                .doesNotContain(0L));
    }

    @Test
    void aMethodWithoutSuchAParameterDrawsNone() {
        with((service, locks) -> {
            assertNoneDrawn(() -> service.plain("tea"));
            assertNoneDrawn(() -> service.plainFuture("tea").get(LONG.toSeconds(), TimeUnit.SECONDS));
            assertNoneDrawn(() -> service.plainMono("tea").block(LONG));
        });
    }

    @Test
    void aMethodWithoutSuchAParameterCanStillAsk() {
        with((service, locks) -> {
            long first = service.asking("tea");
            assertThat(service.asking("tea")).isGreaterThan(first);
        });
    }

    @Test
    void aTokenParameterInsideAMethodWithoutOneGetsTheTokenOfTheSameOwnership() {
        with((service, locks) -> {
            assertThat(service.outer("tea")).isEqualTo("same");
            assertThat(service.outerMono("tea").block(LONG)).isEqualTo("same");
            assertThat(service.outerMono("tea")
                            .subscribeOn(Schedulers.parallel())
                            .block(LONG))
                    .isEqualTo("same");
        });
    }

    @Test
    void whoeverHadToWaitGetsItsTokenToo() {
        with((service, locks) -> {
            CompletableFuture<Long> waiter;
            try (Lease held = CompletableFuture.supplyAsync(() -> locks.acquire("stock:tea"))
                    .get(LONG.toSeconds(), TimeUnit.SECONDS)) {
                waiter = service.future("tea", 0);
                assertThat(waiter).isNotDone();
                assertThat(held.knownFencingToken()).isEmpty();
            }
            assertThat(waiter.get(LONG.toSeconds(), TimeUnit.SECONDS)).isPositive();
        });
    }

    @Test
    void whatTheCallerPassesIsIgnored() {
        with((service, locks) -> {
            assertDrawnWithTheLock(() -> service.token("tea", Long.MAX_VALUE));
            assertDrawnWithTheLock(() -> service.boxed("tea", Long.MAX_VALUE));
            assertDrawnWithTheLock(() -> service.mono("tea", Long.MAX_VALUE).block(LONG));
            try (Lease other = locks.acquire("stock:coffee")) {
                assertThat(service.nameOf("tea", other)).isEqualTo("stock:tea");
            }
            assertThat(service.nameOf("tea", null)).isEqualTo("stock:tea");
        });
    }

    @Test
    void aLeaseOfTheCallerDoesNotOpenTheMethod() {
        with((service, locks) -> {
            CompletableFuture<Lease> elsewhere = CompletableFuture.supplyAsync(() -> locks.acquire("stock:tea"));
            try (Lease held = elsewhere.get(LONG.toSeconds(), TimeUnit.SECONDS)) {
                assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> service.nameOf("tea", held));
                assertThat(held.isValid()).isTrue();
            }
        });
    }

    static class StockService {

        private final ObjectProvider<StockService> self;

        StockService(ObjectProvider<StockService> self) {
            this.self = self;
        }

        private static Lease held() {
            return LockContext.leases().get(0);
        }

        private static String known() {
            return held().knownFencingToken().isPresent() ? "token" : "no token";
        }

        private static long checked(long token) {
            assertThat(held().knownFencingToken()).isPresent();
            return token;
        }

        @DistributionLock(key = "stock")
        public long token(@DistributionLockParam String article, @FencingToken long token) {
            return checked(token);
        }

        @DistributionLock(key = "stock")
        public long boxed(@DistributionLockParam String article, @FencingToken @Nullable Long token) {
            return checked(token == null ? 0 : token);
        }

        @DistributionLock(key = "stock", tryLockTime = 20_000)
        public CompletableFuture<Long> future(@DistributionLockParam String article, @FencingToken long token) {
            return CompletableFuture.completedFuture(token);
        }

        @DistributionLock(key = "stock")
        public Mono<Long> mono(@DistributionLockParam String article, @FencingToken long token) {
            return Mono.just(token);
        }

        @DistributionLock(key = "stock")
        public Flux<Long> flux(@DistributionLockParam String article, @FencingToken long token) {
            return Flux.just(1L, token);
        }

        @DistributionLock(key = "stock")
        public long lease(@DistributionLockParam String article, @Nullable Lease lease) {
            return lease == null ? 0 : lease.knownFencingToken().orElse(0);
        }

        @DistributionLock(key = "stock")
        public Mono<Long> leaseMono(@DistributionLockParam String article, @Nullable Lease lease) {
            return Mono.fromSupplier(() -> lease(article, lease));
        }

        @DistributionLock(key = "stock")
        public List<Long> each(@DistributionLockParam(each = true) List<String> articles, @Nullable Lease lease) {
            return LockContext.leases().stream()
                    .map(each -> each.knownFencingToken().orElse(0))
                    .toList();
        }

        @DistributionLock(key = "stock")
        public String plain(@DistributionLockParam String article) {
            return known();
        }

        @DistributionLock(key = "stock")
        public CompletableFuture<String> plainFuture(@DistributionLockParam String article) {
            return CompletableFuture.completedFuture(known());
        }

        @DistributionLock(key = "stock")
        public Mono<String> plainMono(@DistributionLockParam String article) {
            return Mono.just("no token");
        }

        @DistributionLock(key = "stock")
        public long asking(@DistributionLockParam String article) {
            return LockContext.fencingToken();
        }

        @DistributionLock(key = "stock")
        public String outer(@DistributionLockParam String article) {
            long inner = self.getObject().token(article, 0);
            return inner == LockContext.fencingToken() ? "same" : "another";
        }

        @DistributionLock(key = "stock")
        public Mono<String> outerMono(@DistributionLockParam String article) {
            return Mono.defer(() -> self.getObject().mono(article, 0))
                    .zipWith(Mono.defer(() -> self.getObject().mono(article, 0)))
                    .map(both -> both.getT1().equals(both.getT2()) ? "same" : "another");
        }

        @DistributionLock(key = "stock", tryLockTime = 0)
        public @Nullable String nameOf(@DistributionLockParam String article, @Nullable Lease lease) {
            return lease == null ? null : lease.name();
        }
    }
}
