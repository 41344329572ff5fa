package io.distributionlock.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Methods whose result comes later, called inside a transaction that is bound to the caller's thread. */
@Tag("boot4")
class AsynchronousTransactionTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner() {
        return LockContextRunner.with(executor, TransactionConfiguration.class);
    }

    private void with(Body test) {
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            test.run(transaction(context), context.getBean(Service.class));
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @FunctionalInterface
    private interface Body {
        void run(TransactionTemplate transaction, Service service) throws Exception;
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Test
    void aFutureThatEndsFirstKeepsTheLockUntilTheTransactionHasEnded() {
        with((transaction, service) -> {
            transaction.executeWithoutResult(status -> {
                CompletableFuture<String> result = service.future();
                service.own().complete("done");
                assertThat(result.join()).isEqualTo("done");
                assertThat(executor.isHeld("work")).isTrue();
            });
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    @Test
    void aTransactionThatEndsFirstLeavesTheLockToTheFuture() {
        with((transaction, service) -> {
            CompletableFuture<String> result = transaction.execute(status -> service.future());
            assertThat(executor.isHeld("work")).isTrue();
            service.own().complete("done");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    @Test
    void aFutureThatFailsOrIsRolledBackIsReleasedWithTheTransaction() {
        with((transaction, service) -> {
            transaction.executeWithoutResult(status -> {
                service.own().completeExceptionally(new IllegalStateException("own"));
                assertThat(service.future()).isCompletedExceptionally();
                assertThat(executor.isHeld("work")).isTrue();
                status.setRollbackOnly();
            });
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    @Test
    void aStageIsKeptToo() {
        with((transaction, service) -> transaction.executeWithoutResult(status -> {
            service.own().complete("done");
            assertThat(service.stage()).isCompletedWithValue("done");
            assertThat(executor.isHeld("work")).isTrue();
        }));
    }

    @Test
    void aLockAcquiredOnlyAfterTheTransactionIsHeldUntilTheFutureEnds() {
        with((transaction, service) -> {
            Lease other = executor.occupy("work");
            CompletableFuture<String> result = transaction.execute(status -> service.future());
            assertThat(executor.waiting()).isOne();
            other.release();
            Awaitility.await().atMost(LONG).until(() -> service.calls() == 1);
            assertThat(executor.isHeld("work")).isTrue();
            service.own().complete("done");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void aLockAcquiredOnAnotherThreadIsKeptForTheTransaction() {
        with((transaction, service) -> {
            Lease other = executor.occupy("work");
            transaction.executeWithoutResult(status -> {
                CompletableFuture<String> result = service.future();
                service.own().complete("done");
                other.release();
                assertThat(result.orTimeout(20, TimeUnit.SECONDS).join()).isEqualTo("done");
                assertThat(executor.isHeld("work")).isTrue();
            });
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    /** As with any call that holds its lock itself: only the end of the transaction frees it. */
    @Test
    void whatTheTransactionKeepsIsBusyForItsFurtherCalls() {
        with((transaction, service) -> {
            transaction.executeWithoutResult(status -> {
                service.own().complete("done");
                assertThat(service.future().join()).isEqualTo("done");
                assertThat(service.futureOnce())
                        .failsWithin(LONG)
                        .withThrowableThat()
                        .withCauseInstanceOf(LockNotAcquiredException.class);
                assertThatThrownBy(() -> service.monoOnce().block(LONG)).isInstanceOf(LockNotAcquiredException.class);
                assertThatThrownBy(service::blockingOnce).isInstanceOf(LockNotAcquiredException.class);
            });
            assertThat(executor.events()).containsExactly("lock work", "unlock work");
            assertThat(service.blockingOnce()).isEqualTo("done");
        });
    }

    @Test
    void twoCallsAtTheSameTimeDoNotShareTheLockOfTheTransaction() {
        with((transaction, service) -> {
            AtomicReference<CompletableFuture<String>> second = new AtomicReference<>();
            transaction.executeWithoutResult(status -> {
                service.future();
                second.set(service.future());
                assertThat(service.calls()).isOne();
                service.own().complete("done");
            });
            assertThat(second.get().get(20, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(service.calls()).isEqualTo(2);
        });
    }

    @Test
    void whatAThreadDoesAfterItsTransactionDoesNotEnterWhatIsStillAtWork() {
        with((transaction, service) -> {
            CompletableFuture<String> result = transaction.execute(status -> service.future());
            assertThatThrownBy(service::blockingOnce).isInstanceOf(LockNotAcquiredException.class);
            service.own().complete("done");
            result.get(20, TimeUnit.SECONDS);
        });
    }

    @Test
    void aLeaseThatIsLostRollsTheTransactionBack() {
        with((transaction, service) -> assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    service.own().complete("done");
                    service.future().join();
                    executor.leases().get(0).lose();
                }))
                .isInstanceOf(LockLostException.class));
    }

    @Test
    void aMonoKeepsTheLockUntilTheTransactionHasEndedThatItWasCalledOrSubscribedIn() {
        with((transaction, service) -> {
            transaction.executeWithoutResult(status -> {
                assertThat(service.mono().subscribeOn(Schedulers.parallel()).block(LONG))
                        .isEqualTo("done");
                assertThat(executor.isHeld("work")).isTrue();
            });
            assertThat(executor.isHeld("work")).isFalse();
            Mono<String> mono = service.mono();
            transaction.executeWithoutResult(status -> {
                assertThat(mono.block(LONG)).isEqualTo("done");
                assertThat(executor.isHeld("work")).isTrue();
            });
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    @Test
    void aMonoThatIsSubscribedAfterTheTransactionIsReleasedWhenItEnds() {
        with((transaction, service) -> {
            Mono<String> mono = transaction.execute(status -> service.mono());
            assertThat(mono.block(LONG)).isEqualTo("done");
            assertThat(executor.isHeld("work")).isFalse();
        });
    }

    @Test
    void aFluxKeepsTheLockToo() {
        with((transaction, service) -> {
            transaction.executeWithoutResult(status -> {
                assertThat(service.flux().collectList().block(LONG)).containsExactly("a", "b");
                assertThat(executor.isHeld("work")).isTrue();
            });
            assertThat(executor.events()).containsExactly("lock work", "unlock work");
        });
    }

    @Test
    void anOuterTransactionMayBeRefusedForThemToo() {
        runner().withPropertyValues("distribution-lock.transactions.outer=refuse")
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    transaction(context).executeWithoutResult(status -> {
                        assertRefused(service::future, "Service.future()");
                        assertRefused(service::stage, "Service.stage()");
                        assertRefused(service::mono, "Service.mono()");
                        assertRefused(service::flux, "Service.flux()");
                    });
                    Mono<String> mono = service.mono();
                    transaction(context)
                            .executeWithoutResult(status -> assertRefused(() -> mono.block(LONG), "Service.mono()"));
                    assertThat(executor.requests()).isEmpty();
                    assertThat(mono.block(LONG)).isEqualTo("done");
                });
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String method) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(method)
                .hasMessageContaining("distribution-lock.transactions.outer");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class TransactionConfiguration {

        @Bean
        PlatformTransactionManager transactionManager() {
            return new DataSourceTransactionManager(
                    new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"));
        }
    }

    static class Service {

        private final CompletableFuture<String> own = new CompletableFuture<>();
        private volatile int calls;

        CompletableFuture<String> own() {
            return own;
        }

        int calls() {
            return calls;
        }

        @DistributionLock(key = "work")
        public CompletableFuture<String> future() {
            calls = calls + 1;
            return own;
        }

        @DistributionLock(key = "work", tryLockTime = 0)
        public CompletableFuture<String> futureOnce() {
            return own;
        }

        @DistributionLock(key = "work")
        public CompletionStage<String> stage() {
            return own;
        }

        @DistributionLock(key = "work")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @DistributionLock(key = "work")
        public Flux<String> flux() {
            return Flux.just("a", "b");
        }

        @DistributionLock(key = "work", tryLockTime = 0)
        public Mono<String> monoOnce() {
            return mono();
        }

        @DistributionLock(key = "work", tryLockTime = 0)
        public String blockingOnce() {
            return "done";
        }
    }
}
