package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockLostException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.OnLost;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

/** What happens when the lease ends before the method, and what a method can learn about its lease. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LostLeaseTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Body test) {
        LockContextRunner.with(executor, Service.class, Listener.class)
                .run(context -> test.run(context.getBean(Service.class), context.getBean(Listener.class)));
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service, Listener listener) throws Exception;
    }

    @Test
    void reportLogsAndPublishesOnceAndTheResultStands(CapturedOutput output) {
        with((service, listener) -> {
            assertThat(service.reporting()).isEqualTo("ran");
            assertThat(output.toString().split("The lease of lock 'report' was lost", -1))
                    .hasSize(2);
            assertThat(output).contains("Service.reporting()");
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !listener.events.isEmpty());
            assertThat(listener.events).singleElement().satisfies(event -> {
                assertThat(event.lockName()).isEqualTo("report");
                assertThat(event.method().getName()).isEqualTo("reporting");
            });
        });
    }

    @Test
    void throwDiscardsTheResult() {
        with((service, listener) -> assertThatThrownBy(() -> service.throwing(false))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'throw'"));
    }

    @Test
    void throwKeepsTheMethodsExceptionAsSuppressed() {
        with((service, listener) -> {
            Throwable thrown = catchThrowable(() -> service.throwing(true));
            assertThat(thrown).isInstanceOf(LockLostException.class);
            assertThat(thrown.getSuppressed())
                    .singleElement()
                    .satisfies(suppressed -> assertThat(suppressed)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("from the method"));
        });
    }

    @Test
    void throwDiscardsTheResultAlsoIfOnlyTheReleaseFindsTheLoss() {
        executor.nextRelease(ReleaseResult.LOST);
        with((service, listener) -> assertThatThrownBy(service::throwingUnlost).isInstanceOf(LockLostException.class));
    }

    @Test
    void throwWithoutALossDoesNothing() {
        with((service, listener) -> assertThat(service.throwingUnlost()).isEqualTo("ran"));
    }

    @Test
    void interruptWakesTheMethodAtOnceAndLeavesNoFlagBehind() {
        with((service, listener) -> {
            assertThatThrownBy(service::interrupted).isInstanceOf(InterruptedException.class);
            assertThat(service.interruptedInVain()).isEqualTo("ran on");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }

    /** So that no answer of the backend waits for it. */
    @Test
    void theInterruptOfAClassOfThreadsRunsOnAThreadOfItsOwn() {
        LockContextRunner.local().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            LockRequest request =
                    locks.request("interrupted").onLost(OnLost.INTERRUPT).build();
            CompletableFuture<String> interrupter = new CompletableFuture<>();
            Thread worker =
                    new Thread(() -> locks.execute(request, () -> {
                        locks.forceRelease("interrupted");
                        return interrupter.join();
                    })) {
                        @Override
                        public void interrupt() {
                            interrupter.complete(Thread.currentThread().getName());
                        }
                    };
            worker.setUncaughtExceptionHandler((thread, lost) -> {});
            worker.start();
            assertThat(interrupter.get(30, TimeUnit.SECONDS)).startsWith("distribution-lock-callbacks");
            worker.join(30_000);
        });
    }

    @Test
    void anInterruptFromElsewhereBeforeTheLossStays() {
        with((service, listener) -> {
            service.interruptedFromElsewhere();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void interruptOfAnAsynchronousMethodStopsTheStart() {
        LockContextRunner.with(executor, AsynchronousInterrupt.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("onLost = INTERRUPT"));
    }

    @Test
    void theContextShowsTheMethodItsLease() {
        with((service, listener) -> {
            assertThat(LockContext.isHeld()).isFalse();
            assertThat(LockContext.leases()).isEmpty();
            assertThatThrownBy(LockContext::fencingToken)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not in a locked method");
            service.askingTheContext();
            assertThat(LockContext.isHeld()).isFalse();
            assertThat(executor.events()).contains("extend context");
        });
    }

    static class Listener {
        final List<LockLostEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockLostEvent event) {
            events.add(event);
        }
    }

    static class Service {

        private final ScriptedLockExecutor executor;

        Service(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        private void loseMine() {
            executor.leases().get(executor.leases().size() - 1).lose();
        }

        @DistributionLock(key = "report")
        public String reporting() {
            loseMine();
            return "ran";
        }

        @DistributionLock(key = "throw", onLost = OnLost.THROW)
        public String throwing(boolean fail) {
            loseMine();
            if (fail) {
                throw new IllegalStateException("from the method");
            }
            return "ran";
        }

        @DistributionLock(key = "unlost", onLost = OnLost.THROW)
        public String throwingUnlost() {
            return "ran";
        }

        @DistributionLock(key = "interrupt", onLost = OnLost.INTERRUPT)
        public void interrupted() throws InterruptedException {
            ScriptedLockExecutor.ScriptedLease mine =
                    executor.leases().get(executor.leases().size() - 1);
            CompletableFuture.runAsync(mine::lose);
            if (new CountDownLatch(1).await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody counts down");
            }
        }

        @DistributionLock(key = "vain", onLost = OnLost.INTERRUPT)
        public String interruptedInVain() {
            loseMine();
            return Thread.currentThread().isInterrupted() ? "ran on" : "was not interrupted";
        }

        @DistributionLock(key = "elsewhere", onLost = OnLost.INTERRUPT)
        public void interruptedFromElsewhere() {
            Thread.currentThread().interrupt();
            loseMine();
        }

        @DistributionLock(key = "context")
        public void askingTheContext() {
            assertThat(LockContext.isHeld()).isTrue();
            assertThat(LockContext.fencingToken()).isEqualTo(1);
            assertThat(LockContext.leases())
                    .singleElement()
                    .extracting(Lease::name)
                    .isEqualTo("context");
            assertThat(LockContext.extend(Duration.ofMinutes(5))).isTrue();
            loseMine();
            assertThat(LockContext.isHeld()).isFalse();
        }
    }

    static class AsynchronousInterrupt {
        @DistributionLock(key = "k", onLost = OnLost.INTERRUPT)
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }
}
