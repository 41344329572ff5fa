package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.Reentry;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** A holder of the lock may be refused to enter again; the call then does not wait for itself. */
@Tag("boot4")
@Timeout(60)
class RefusedReentryTest {

    private void with(BiConsumer<Service, LockTemplate> test) {
        LockContextRunner.local(Service.class)
                .withPropertyValues("distribution-lock.defaults.try-lock-time=10m")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context.getBean(Service.class), context.getBean(LockTemplate.class));
                });
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("Lock 'once' is held by the caller already")
                .hasMessageContaining("(reentry)")
                .extracting("reason")
                .isEqualTo(LockFailureReason.BUSY);
    }

    @Test
    void aCallInsideOfItselfIsRefused() {
        with((service, template) -> {
            assertRefused(() -> service.once(() -> service.once(() -> "twice")));
            assertRefused(() -> template.execute("once", () -> service.run(() -> "twice")));
            assertThat(service.run(() -> "again")).isEqualTo("again");
        });
    }

    @Test
    void whoeverDoesNotRefuseItEnters() {
        with((service, template) -> assertThat(service.run(() -> template.execute("once", () -> "inside")))
                .isEqualTo("inside"));
    }

    @Test
    void onBusyAnswers() {
        with((service, template) ->
                assertThat(service.run(() -> service.skipped())).isNull());
    }

    /** Its lock is its own, not that of the calling thread. */
    @Test
    void aFutureGetsTheLockAfterItsCaller() {
        with((service, template) -> {
            List<CompletableFuture<String>> started = new ArrayList<>();
            service.run(() -> {
                started.add(service.future());
                assertThat(started.get(0)).isNotDone();
                return "first";
            });
            assertThat(started.get(0)).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("twice");
        });
    }

    /** The lock of an asynchronous method belongs to no thread, but the library knows what this one is running. */
    @Test
    void aCallInsideOfAFutureIsRefused() {
        with((service, template) -> {
            assertThat(service.futureOf(() -> {
                        assertRefused(() -> service.run(() -> "twice"));
                        assertRefused(() -> service.several());
                        return service.future();
                    }))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withCauseExactlyInstanceOf(LockNotAcquiredException.class)
                    .withMessageContaining("is held by the caller already");
            assertThat(service.run(() -> "again")).isEqualTo("again");
        });
    }

    @Test
    void oneThatDoesNotRefuseItEntersInsideOfAFuture() {
        with((service, template) -> {
            CompletableFuture<String> inner = new CompletableFuture<>();
            CompletableFuture<String> outer = service.futureOf(() -> {
                assertThat(service.entering(() -> "inside")).isEqualTo("inside");
                return service.enteringLater(inner);
            });
            assertThat(template.lock("once").isLocked()).isTrue();
            assertThat(outer).isNotDone();
            inner.complete("inside");
            assertThat(outer).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("inside");
            assertThat(service.run(() -> "again")).isEqualTo("again");
        });
    }

    /** Its work may go on elsewhere, beside what the thread does next. */
    @Test
    void afterItHasReturnedTheThreadIsAnotherCaller() {
        with((service, template) -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> outer = service.futureOf(() -> work);
            CompletableFuture<String> next = service.enteringLater(CompletableFuture.completedFuture("next"));
            assertThat(next).isNotDone();
            work.complete("done");
            assertThat(outer).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("done");
            assertThat(next).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("next");
        });
    }

    @Test
    void aPublisherIsRefusedInsideOfOneThatHoldsTheLock() {
        with((service, template) -> {
            assertRefused(() -> service.mono(service.mono(Mono.just("twice"))).block());
            assertThat(service.mono(Mono.just("once")).block()).isEqualTo("once");
        });
    }

    @Test
    void oneOfSeveralLocksIsRefused() {
        with((service, template) -> {
            assertRefused(() -> service.run(() -> service.several()));
            LockRequest once = template.request("once").refuseReentry().build();
            MultiLock both =
                    MultiLock.of(template, List.of(template.request("a").build(), once));
            assertRefused(() -> template.execute("once", () -> both.execute(() -> "twice")));
            assertThat(both.execute(() -> "free")).isEqualTo("free");
        });
    }

    @Test
    void byHandItIsBusy() {
        with((service, template) -> {
            LockRequest once = template.request("once").refuseReentry().build();
            try (Lease lease = template.acquire(once)) {
                assertThat(template.tryAcquire(once)).isEmpty();
                assertRefused(() -> template.acquire(once));
            }
        });
    }

    /** The name is that of one lock: one annotation that refuses is enough. */
    @Test
    void twoLocksOfOneNameRefuseIfOneDoes() {
        with((service, template) -> {
            assertThat(service.twoOfOneName("once", () -> "free")).isEqualTo("free");
            assertRefused(() -> service.run(() -> service.twoOfOneName("once", () -> "twice")));
        });
    }

    static class Service {

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public String once(Callable<String> work) throws Exception {
            return work.call();
        }

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public String run(Supplier<String> work) {
            return work.get();
        }

        @DistributionLock(key = "once", reentry = Reentry.REFUSE, onBusy = OnBusy.SKIP)
        public String skipped() {
            return "twice";
        }

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("twice");
        }

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public CompletableFuture<String> futureOf(Supplier<CompletableFuture<String>> work) {
            return work.get();
        }

        @DistributionLock(key = "once")
        public String entering(Supplier<String> work) {
            return work.get();
        }

        @DistributionLock(key = "once")
        public CompletableFuture<String> enteringLater(CompletableFuture<String> work) {
            return work;
        }

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public Mono<String> mono(Mono<String> inner) {
            return inner;
        }

        @DistributionLock(key = "another")
        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public String several() {
            return "twice";
        }

        @DistributionLock(key = "once", holdLockTime = 50_000)
        @DistributionLock(key = "#{#name}", reentry = Reentry.REFUSE, holdLockTime = 40_000)
        public String twoOfOneName(String name, Supplier<String> work) {
            return work.get();
        }
    }
}
