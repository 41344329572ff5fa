package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockContext;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockTemplate;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RecordingTransactionManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** Locked methods on the real engine: it keeps what the scripted executor of the other tests promises. */
@Tag("boot4")
class RealEngineTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private void with(Body test) {
        LockContextRunner.local(ServiceConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.run(context.getBean(Service.class), context.getBean(LockTemplate.class));
            LockTemplate template = context.getBean(LockTemplate.class);
            for (String name : List.of("update:A1", "fixed", "future", "mono", "guarded", "each:a", "each:b")) {
                Awaitility.await().atMost(LONG).until(() -> !template.lock(name).isLocked());
            }
        });
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service, LockTemplate template) throws Exception;
    }

    @Test
    void anotherThreadFindsItBusyAndTheHolderEntersAgain() {
        with((service, template) -> {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompletableFuture<String> holder = CompletableFuture.supplyAsync(
                    () -> service.update("A1", inside, goOn), work -> new Thread(work, "holder").start());
            assertThat(inside.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> service.update("A1", null, null))
                    .isExactlyInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("update:A1");
            assertThat(service.update("A2", null, null)).isEqualTo("true true");
            goOn.countDown();
            assertThat(holder.get(20, TimeUnit.SECONDS)).isEqualTo("true true");
            assertThat(service.update("A1", null, null)).isEqualTo("true true");
        });
    }

    @Test
    void aFixedLeaseThatEndsBeforeTheMethodIsReported() {
        with((service, template) -> {
            assertThatThrownBy(() -> service.fixed()).isInstanceOf(LockLostException.class);
            assertThatThrownBy(service::interruptedByLoss).isInstanceOf(InterruptedException.class);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    @Test
    void aFutureIsReleasedFromAnotherThread() {
        with((service, template) -> {
            CompletableFuture<String> own = new CompletableFuture<>();
            CompletableFuture<String> result = service.future(own);
            assertThat(template.lock("future").isLocked()).isTrue();
            CompletableFuture<String> second = service.future(CompletableFuture.completedFuture("second"));
            assertThat(second).isNotDone();
            own.complete("first");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("first");
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("second");
        });
    }

    @Test
    void aMonoWaitsAndEntersAgainByItsContext() {
        with((service, template) -> {
            CompletableFuture<String> own = new CompletableFuture<>();
            CompletableFuture<String> first = service.mono(own).toFuture();
            CompletableFuture<String> second =
                    service.mono(CompletableFuture.completedFuture("second")).toFuture();
            assertThat(second).isNotDone();
            own.complete("first");
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("first");
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("second");
            assertThat(service.outerMono().block(LONG)).isEqualTo("inner");
        });
    }

    @Test
    void theCommitGuardAsksTheEngineAndRollsBackWhenTheLeaseHasEnded() {
        with((service, template) -> {
            assertThat(service.guarded()).isEqualTo("committed");
            Throwable thrown = catchThrowable(service::guardedUntilLost);
            assertThat(thrown).isInstanceOf(LockLostException.class);
        });
    }

    @Test
    void severalLocksAreAcquiredTogether() {
        with((service, template) ->
                assertThat(service.each(List.of("b", "a", "b"))).isEqualTo(2));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(Service.class)
    static class ServiceConfiguration {
        @Bean
        PlatformTransactionManager transactionManager() {
            return new RecordingTransactionManager(new CopyOnWriteArrayList<>());
        }
    }

    static class Service {

        private final ObjectProvider<Service> self;
        private final LockTemplate template;

        Service(ObjectProvider<Service> self, LockTemplate template) {
            this.self = self;
            this.template = template;
        }

        @DistributionLock(key = "update", tryLockTime = 0)
        public String update(
                @DistributionLockParam String code, @Nullable CountDownLatch inside, @Nullable CountDownLatch goOn) {
            if (inside != null && goOn != null) {
                inside.countDown();
                try {
                    if (!goOn.await(20, TimeUnit.SECONDS)) {
                        throw new IllegalStateException("never told to go on");
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return self.getObject().inner(code) + " " + LockContext.isHeld();
        }

        @DistributionLock(key = "update", tryLockTime = 0)
        public boolean inner(@DistributionLockParam String code) {
            return template.holdCount("update:" + code, LockOwner.currentThread()) == 2;
        }

        @DistributionLock(key = "fixed", tryLockTime = 60_000, holdLockTime = 150, onLost = OnLost.THROW)
        public String fixed() {
            awaitLoss();
            return "ran";
        }

        private static void awaitLoss() {
            long end = System.nanoTime() + LONG.toNanos();
            while (LockContext.isHeld() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        @DistributionLock(key = "fixed", tryLockTime = 60_000, holdLockTime = 150, onLost = OnLost.INTERRUPT)
        public void interruptedByLoss() throws InterruptedException {
            if (new CountDownLatch(1).await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody counts down");
            }
        }

        @DistributionLock(key = "future", tryLockTime = 20_000)
        public CompletableFuture<String> future(CompletableFuture<String> own) {
            return own;
        }

        @DistributionLock(key = "mono", tryLockTime = 20_000)
        public Mono<String> mono(CompletableFuture<String> own) {
            return Mono.fromFuture(own, true);
        }

        @DistributionLock(key = "mono")
        public Mono<String> outerMono() {
            return Mono.defer(() -> self.getObject().mono(CompletableFuture.completedFuture("inner")));
        }

        @Transactional
        @DistributionLock(key = "guarded", commitGuard = CommitGuard.REMOTE)
        public String guarded() {
            return "committed";
        }

        @Transactional
        @DistributionLock(key = "guarded", tryLockTime = 60_000, holdLockTime = 150, commitGuard = CommitGuard.REMOTE)
        public String guardedUntilLost() {
            awaitLoss();
            return "never committed";
        }

        @DistributionLock(key = "each")
        public int each(@DistributionLockParam(each = true) List<String> codes) {
            return LockContext.leases().size();
        }
    }
}
