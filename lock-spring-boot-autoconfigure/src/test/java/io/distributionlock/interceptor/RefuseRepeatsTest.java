package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same call is refused for a time, unless it fails. */
@Tag("boot4")
@Timeout(60)
class RefuseRepeatsTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final ApplicationContextRunner runner = LockContextRunner.local(Service.class);

    private void with(BiConsumer<Service, LockTemplate> test) {
        with(runner, test);
    }

    private static void with(ApplicationContextRunner runner, BiConsumer<Service, LockTemplate> test) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Service.class), context.getBean(LockTemplate.class));
        });
    }

    private static void assertRepeated(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("refuses to repeat a call")
                .extracting("reason")
                .isEqualTo(LockFailureReason.REPEATED);
    }

    private static <T> T fail() {
        throw new IllegalStateException("own");
    }

    @Test
    void aCallThatSucceededIsRefusedAndAnotherIsNot() {
        with((service, template) -> {
            assertThat(service.create("form-1", () -> "created")).isEqualTo("created");
            assertRepeated(() -> service.create("form-1", () -> "created"));
            assertThat(service.create("form-2", () -> "created")).isEqualTo("created");
        });
    }

    @Test
    void aCallThatFailedMayBeRepeatedAtOnce() {
        with((service, template) -> {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> service.create("form", RefuseRepeatsTest::fail))
                        .hasMessage("own");
            }
            assertThat(service.create("form", () -> "created")).isEqualTo("created");
        });
    }

    @Test
    void soItIsWithRedisBetweenTwoProcesses() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            ApplicationContextRunner process =
                    LockContextRunner.redis(redis.port()).withUserConfiguration(Service.class);
            with(
                    process,
                    (here, template) -> with(process, (there, unused) -> {
                        assertThatThrownBy(() -> here.create("form", RefuseRepeatsTest::fail))
                                .hasMessage("own");
                        assertThat(there.create("form", () -> "created")).isEqualTo("created");
                        assertRepeated(() -> here.create("form", () -> "created"));
                    }));
        }
    }

    @Test
    void aCallThatStillRunsIsRefusedWithoutWaiting() {
        with((service, template) -> {
            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> service.create("form", () -> {
                entered.countDown();
                await(end);
                return "created";
            }));
            await(entered);
            assertRepeated(() -> service.create("form", () -> "twice"));
            end.countDown();
            assertThat(first).succeedsWithin(SOON).isEqualTo("created");
        });
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theCallMayNotRepeatItself() {
        with((service, template) ->
                assertRepeated(() -> service.create("form", () -> service.create("form", () -> "twice"))));
    }

    @Test
    void afterTheTimeTheCallRunsAgain() {
        with((service, template) -> {
            service.shortly();
            Awaitility.await()
                    .atMost(SOON)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(service.shortly()).isEqualTo("created"));
        });
    }

    @Test
    void thePropertiesOfItsKeyChangeTheTime() {
        with(runner.withPropertyValues("distribution-lock.locks.create.min-hold-time=1ms"), (service, template) -> {
            service.create("form", () -> "created");
            Awaitility.await()
                    .atMost(SOON)
                    .ignoreExceptions()
                    .untilAsserted(() ->
                            assertThat(service.create("form", () -> "again")).isEqualTo("again"));
        });
    }

    // ------------------------------------------------------------------ results that come later

    /** Nobody can learn of its end. */
    private static final class Deaf extends CompletableFuture<String> {

        @Override
        @SuppressWarnings("unchecked") // of a String here
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return (CompletableFuture<U>) new Deaf();
        }

        @Override
        public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
            return fail();
        }
    }

    @Test
    void aFutureThatFailsOrIsCancelledMayBeRepeated() {
        with((service, template) -> {
            service.future(CompletableFuture.failedFuture(new IllegalStateException("own")));
            CompletableFuture<String> own = new CompletableFuture<>();
            CompletableFuture<String> result = service.future(own);
            assertRefusedLater(service.future(new CompletableFuture<>()));
            own.completeExceptionally(new IllegalStateException("own"));
            assertThat(result).failsWithin(SOON);
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            service.future(cancelled);
            cancelled.cancel(true);
            assertThatThrownBy(() -> service.future(null)).isInstanceOf(NullPointerException.class);
            assertThat(service.future(new Deaf())).failsWithin(SOON);
            assertThat(service.future(CompletableFuture.completedFuture("created")))
                    .succeedsWithin(SOON);
            assertRefusedLater(service.future(CompletableFuture.completedFuture("twice")));
        });
    }

    @Test
    void aCallWhoseCallerCancelsItsResultGoesOnAndMayNotBeRepeated() {
        with((service, template) -> {
            CompletableFuture<String> own = new CompletableFuture<>();
            service.future(own).cancel(true);
            assertRefusedLater(service.future(CompletableFuture.completedFuture("meanwhile")));
            own.complete("created");
            assertRefusedLater(service.future(CompletableFuture.completedFuture("twice")));
        });
    }

    private static void assertRefusedLater(CompletableFuture<String> result) {
        assertThat(result)
                .failsWithin(SOON)
                .withThrowableThat()
                .withCauseExactlyInstanceOf(LockNotAcquiredException.class);
    }

    @Test
    void aPublisherThatFailsOrIsCancelledMayBeRepeated() {
        with((service, template) -> {
            assertThat(catchThrowable(() -> service.mono(Mono.error(new IllegalStateException("own")))
                            .block()))
                    .hasMessage("own");
            Disposable cancelled = service.mono(Mono.never()).subscribe();
            assertRepeated(() -> service.mono(Mono.just("twice")).block());
            cancelled.dispose();
            assertThat(service.mono(Mono.just("created")).block()).isEqualTo("created");
            assertRepeated(() -> service.mono(Mono.just("twice")).block());

            assertThat(catchThrowable(() -> service.flux(Flux.error(new IllegalStateException("own")))
                            .blockLast()))
                    .hasMessage("own");
            service.flux(Flux.never()).subscribe().dispose();
            assertThat(service.flux(Flux.just("created")).collectList().block()).containsExactly("created");
            assertRepeated(() -> service.flux(Flux.just("twice")).blockLast());
        });
    }

    // ------------------------------------------------------------------ answers

    @Test
    void aMapperKnowsTheReason() {
        with(runner.withUserConfiguration(Mapper.class), (service, template) -> {
            assertThat(service.mapped().text()).isEqualTo("ran");
            assertThat(service.mapped().text()).isEqualTo("REPEATED");
        });
    }

    @Test
    void allOtherAnswersApply() {
        with((service, template) -> {
            service.skipped();
            assertThat(service.skipped()).isNull();
            service.withFallback("form");
            assertThat(service.withFallback("form")).isEqualTo("REPEATED form");
            service.withMessage();
            assertThatThrownBy(service::withMessage).hasMessage("submitted already");
        });
    }

    @Test
    void aFailureThatIsAValueCountsAsASuccess() {
        with((service, template) -> {
            assertThat(service.create("form", () -> "out of stock")).isEqualTo("out of stock");
            assertRepeated(() -> service.create("form", () -> "created"));
        });
    }

    @Test
    void aFailureThatIsAValueMayBeRepeatedIfTheMethodSaysSo() {
        with((service, template) -> {
            assertThat(service.waived()).isEqualTo("out of stock");
            assertThat(service.waived()).isEqualTo("out of stock");
        });
    }

    // ------------------------------------------------------------------ beside other locks

    @Test
    void aCallThatDidNotGetItsOtherLockMayBeRepeated() {
        with((service, template) -> {
            for (String other : List.of("a", "z")) {
                try (Lease held = template.acquire(other)) {
                    var call = CompletableFuture.supplyAsync(() -> service.besideAnother(other));
                    assertThat(catchThrowable(call::join))
                            .cause()
                            .extracting("reason")
                            .isEqualTo(LockFailureReason.BUSY);
                }
                assertThat(service.besideAnother(other)).isEqualTo("created");
                assertRepeated(() -> service.besideAnother(other));
            }
        });
    }

    // ------------------------------------------------------------------ by hand

    @Test
    void byHandItIsTheSame() {
        with((service, template) -> {
            LockRequest submit = template.request("by-hand")
                    .refuseRepeats(Duration.ofMinutes(10))
                    .build();
            assertThatThrownBy(() -> template.execute(submit, RefuseRepeatsTest::fail))
                    .hasMessage("own");
            assertThatThrownBy(() -> MultiLock.of(template, List.of(submit)).execute(RefuseRepeatsTest::fail))
                    .hasMessage("own");
            try (Lease lease = template.acquire(submit)) {
                lease.waiveMinHoldTime();
            }
            assertThat(template.execute(submit, () -> "created")).isEqualTo("created");
            assertRepeated(() -> template.execute(submit, () -> "twice"));
            assertRepeated(() -> MultiLock.of(template, List.of(submit)).execute(() -> "twice"));
            assertThat(template.tryAcquire(submit)).isEmpty();
        });
    }

    record Answer(String text) {}

    @Configuration(proxyBeanMethods = false)
    static class Mapper {
        @Bean
        LockFailureMapper<Answer> mapper() {
            return failure -> new Answer(failure.reason().name());
        }
    }

    static class Service {

        @RefuseRepeats(key = "create", within = "10m")
        public String create(@DistributionLockParam String formToken, Supplier<String> work) {
            return work.get();
        }

        @RefuseRepeats(key = "shortly", within = "200ms")
        public String shortly() {
            return "created";
        }

        @RefuseRepeats(key = "future", within = "10m")
        public CompletableFuture<String> future(CompletableFuture<String> own) {
            return own.thenApply(value -> value);
        }

        @RefuseRepeats(key = "mono", within = "10m")
        public Mono<String> mono(Mono<String> own) {
            return own;
        }

        @RefuseRepeats(key = "flux", within = "10m")
        public Flux<String> flux(Flux<String> own) {
            return own;
        }

        @RefuseRepeats(key = "mapped", within = "10m")
        public Answer mapped() {
            return new Answer("ran");
        }

        @RefuseRepeats(key = "skipped", within = "10m", onBusy = OnBusy.SKIP)
        public String skipped() {
            return "created";
        }

        @RefuseRepeats(key = "fallback", within = "10m", fallbackMethod = "later")
        public String withFallback(String form) {
            return "created";
        }

        String later(String form, LockNotAcquiredException refused) {
            return refused.reason() + " " + form;
        }

        @RefuseRepeats(key = "message", within = "10m", message = "submitted already")
        public void withMessage() {}

        @RefuseRepeats(key = "waived", within = "10m")
        public String waived() {
            LockContext.leases().forEach(Lease::waiveMinHoldTime);
            return "out of stock";
        }

        @RefuseRepeats(key = "submit:#{#other}", within = "10m")
        @DistributionLock(key = "#{#other}", tryLockTime = 0)
        public String besideAnother(String other) {
            return "created";
        }
    }
}
