package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/**
 * A passed lease opens a method only if it guards what the method asks for. The call is then like any locked call, except
 * that it neither acquires nor releases.
 */
@Tag("boot4")
class PassedLeaseTest {

    private final ApplicationContextRunner application = LockContextRunner.local()
            .withPropertyValues("distribution-lock.executors.other.type=local")
            .withBean(
                    RecordingTransactionManager.class,
                    () -> new RecordingTransactionManager(new CopyOnWriteArrayList<>()))
            .withBean(StockService.class);

    private interface Body {
        void run(StockService service, LockTemplate locks, RecordingTransactionManager transactions) throws Exception;
    }

    private void with(Body body) {
        with(application, body);
    }

    private static void with(ApplicationContextRunner runner, Body body) {
        runner.run(context -> body.run(
                context.getBean(StockService.class),
                context.getBean("distributionLockTemplate", LockTemplate.class),
                context.getBean(RecordingTransactionManager.class)));
    }

    private static <T> T elsewhere(Callable<T> call) throws Exception {
        try {
            // A thread of a pool could run the call of its own future while it waits, and enter its lock again.
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return call.call();
                                } catch (RuntimeException e) {
                                    throw e;
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            task -> new Thread(task).start())
                    .get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    @Test
    void theCallKnowsTheLockThatItRunsUnder() {
        with((service, locks, transactions) -> {
            try (Lease lease = locks.acquire("stock:tea")) {
                assertThat(elsewhere(() -> service.book("tea", lease, 0)))
                        .isEqualTo("held true, token true, injected true, extended true");
                assertThat(lease.isValid()).as("the call gave nothing back").isTrue();
                assertThat(elsewhere(() -> service.bookLater("tea", lease, 0).join()))
                        .isEqualTo("held true, token true, injected true, extended true");
                assertThat(elsewhere(() -> service.bookMono("tea", lease).block(Duration.ofSeconds(30))))
                        .isEqualTo("done");
                assertThat(lease.isValid()).isTrue();
                assertThat(locks.lock("stock:tea").isLocked()).isTrue();
            }
            assertThat(locks.lock("stock:tea").isLocked()).isFalse();
        });
    }

    @Test
    void aLeaseOfAnotherExecutorOpensNothing() {
        with((service, locks, transactions) -> {
            try (LocalLockExecutor foreign = new LocalLockExecutor();
                    Lease elsewhereLease = LockTemplate.builder(foreign).build().acquire("stock:tea");
                    Lease own = locks.acquire("stock:tea")) {
                assertThat(own.isValid()).isTrue();
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> elsewhere(() -> service.book("tea", elsewhereLease, 0)));
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> elsewhere(
                                () -> service.bookOther("tea", own, () -> service.bookOther("tea", own, null))));
            }
        });
    }

    @Test
    void aLeaseOfAnotherLockOpensNothingAndIsLeftAlone() {
        with((service, locks, transactions) -> {
            try (Lease other = locks.acquire("stock:coffee")) {
                assertThat(service.given("tea", other)).isEqualTo("stock:coffee");
                assertThat(service.given("tea", null)).isEqualTo("stock:tea");
            }
        });
    }

    @Test
    void decoratorsOfTheExecutorDoNotMatter() {
        ApplicationContextRunner decorated =
                application.withBean(LockTemplateCustomizer.class, () -> template -> template.decorate(Around::new));
        with(decorated, (service, locks, transactions) -> {
            // And of two templates over one executor each takes the other's.
            LockTemplate twin =
                    LockTemplate.builder(new Around(locks.executor())).build();
            try (Lease lease = locks.acquire("stock:tea")) {
                assertThat(elsewhere(() -> service.book("tea", lease, 0))).startsWith("held true");
                assertThat(lease.backend()).isSameAs(twin.executor().backend());
            }
        });
        with(application.withPropertyValues("distribution-lock.enabled=false"), (service, locks, transactions) -> {
            try (Lease lease = locks.acquire("stock:tea")) {
                assertThat(service.book("tea", lease, 0)).startsWith("held true");
            }
        });
    }

    private static final class Around extends DelegatingLockExecutor {

        Around(LockExecutor inner) {
            super(inner);
        }
    }

    @Test
    void aLossDuringTheCallIsTreatedAsTheMethodDeclares() {
        with((service, locks, transactions) -> {
            Lease lease = locks.acquire("stock:tea");
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> elsewhere(() -> service.strict(lease, () -> lose(locks, lease))));
            Lease second = locks.acquire(locks.request("stock:tea").build());
            // A thread that awaits something with Awaitility would be woken there.
            assertThat(elsewhere(() -> service.interruptible(
                            second, () -> locks.forceRelease(second.name()).join())))
                    .isEqualTo("interrupted");
            second.close();
        });
    }

    private static String lose(LockTemplate locks, Lease lease) {
        locks.forceRelease(lease.name()).join();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !lease.isValid());
        return "lost";
    }

    @Test
    void aLossDuringTheCallRollsBack() {
        with((service, locks, transactions) -> {
            Lease lease = locks.acquire("stock:tea");
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> elsewhere(() -> service.reporting(
                            lease, () -> new TransactionTemplate(transactions).execute(status -> lose(locks, lease)))));
            assertThat(transactions.events).containsExactly("begin", "rollback");
            Lease again = locks.acquire("stock:tea");
            assertThat(elsewhere(() -> service.reporting(
                            again, () -> new TransactionTemplate(transactions).execute(status -> "written"))))
                    .isEqualTo("written");
            assertThat(transactions.events).containsExactly("begin", "rollback", "begin", "commit");
            again.close();
        });
    }

    @Test
    void aMonoThatIsSubscribedAfterTheLeaseEndedAcquiresTheLockItself() {
        with((service, locks, transactions) -> {
            Mono<String> later;
            try (Lease lease = locks.acquire("stock:tea")) {
                later = service.bookMono("tea", lease);
            }
            try (Lease other = locks.acquire("stock:tea")) {
                assertThat(other.isValid()).isTrue();
                assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> later.block(Duration.ofSeconds(30)));
            }
            assertThat(later.block(Duration.ofSeconds(30))).isEqualTo("done");
        });
    }

    @Test
    void oneLeaseMayBePassedVeryOften() {
        with((service, locks, transactions) -> {
            try (Lease lease = locks.acquire("stock:tea")) {
                for (int call = 0; call < 20_000; call++) {
                    service.book("tea", lease, 0);
                }
                assertThat(LockContext.leases()).isEmpty();
            }
        });
    }

    public static class StockService {

        @DistributionLock(key = "stock", tryLockTime = 0)
        public String book(@DistributionLockParam String article, @Nullable Lease lease, @FencingToken long token) {
            return describe(lease, token);
        }

        private static String describe(@Nullable Lease lease, long token) {
            return "held " + LockContext.isHeld()
                    + ", token " + (token != 0 && token == LockContext.fencingToken())
                    + ", injected " + (lease != null && lease.fencingToken() == token)
                    + ", extended " + LockContext.extend(Duration.ofMinutes(2));
        }

        @DistributionLock(key = "stock", tryLockTime = 0)
        public CompletableFuture<String> bookLater(
                @DistributionLockParam String article, @Nullable Lease lease, @FencingToken long token) {
            return CompletableFuture.completedFuture(describe(lease, token));
        }

        @DistributionLock(key = "stock", tryLockTime = 0)
        public Mono<String> bookMono(@DistributionLockParam String article, @Nullable Lease lease) {
            return Mono.just("done");
        }

        @DistributionLock(key = "stock", tryLockTime = 0)
        public @Nullable String given(@DistributionLockParam String article, @Nullable Lease lease) {
            assertThat(LockContext.leases()).extracting(Lease::name).contains("stock:" + article);
            return lease == null ? null : lease.name();
        }

        @DistributionLock(key = "stock", tryLockTime = 0, executor = "other")
        public String bookOther(
                @DistributionLockParam String article, @Nullable Lease lease, @Nullable Callable<String> inside)
                throws Exception {
            return inside == null ? "booked" : elsewhere(inside);
        }

        @DistributionLock(key = "stock:tea", tryLockTime = 0, onLost = OnLost.THROW)
        public String strict(Lease lease, Callable<String> inside) throws Exception {
            return inside.call();
        }

        @DistributionLock(key = "stock:tea", tryLockTime = 0)
        public String reporting(Lease lease, Callable<String> inside) throws Exception {
            return inside.call();
        }

        @DistributionLock(key = "stock:tea", tryLockTime = 0, onLost = OnLost.INTERRUPT)
        public String interruptible(Lease lease, Callable<Boolean> inside) throws Exception {
            inside.call();
            try {
                Thread.sleep(20_000);
                return "slept";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        }
    }
}
