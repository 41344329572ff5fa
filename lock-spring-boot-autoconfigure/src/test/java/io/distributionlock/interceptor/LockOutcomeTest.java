package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockInterruptedException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockNotReplicatedException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.OnInterrupted;
import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a caller receives when the lock was not acquired. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LockOutcomeTest {

    private static final LockOutcome BUSY = new LockOutcome.Busy(Duration.ofMillis(12));
    private static final LockOutcome DOWN =
            new LockOutcome.BackendFailed(Duration.ofMillis(3), new IllegalStateException("redis is down"));

    private static final LockOutcome NOT_REPLICATED =
            new LockOutcome.NotReplicated(Duration.ofMillis(500), new IllegalStateException("0 of 1 replicas"));

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Consumer<Service> test) {
        LockContextRunner.with(executor, ServiceConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Service.class));
        });
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    // ------------------------------------------------------------------ fallback

    @Test
    void theFallbackWithTheNearestExceptionAnswers() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThat(service.withFallbacks("A1")).isEqualTo("busy A1 LockNotAcquiredException");
            executor.answerNext(DOWN);
            assertThat(service.withFallbacks("A1")).isEqualTo("down A1 redis is down");
            assertThat(service.withFallbacks("A1")).isEqualTo("ran A1");
        });
    }

    @Test
    void aFallbackWithoutAnExceptionAnswersForAll() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThat(service.withPlainFallback("A1")).isEqualTo("fallback A1");
            executor.answerNext(DOWN);
            assertThat(service.withPlainFallback("A1")).isEqualTo("fallback A1");
        });
    }

    @Test
    void aFallbackForAnotherReasonLeavesItToTheNext() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThatThrownBy(() -> service.withFallbackForBackend()).isInstanceOf(LockNotAcquiredException.class);
            executor.answerNext(DOWN);
            assertThat(service.withFallbackForBackend()).isEqualTo("down");
            executor.answerNext(NOT_REPLICATED);
            assertThat(service.withFallbackForBackend()).isEqualTo("down");
        });
    }

    @Test
    void whatTheFallbackThrowsArrivesAsItIs() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThatThrownBy(service::withFailingFallback)
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("from the fallback");
        });
    }

    @Test
    void theFallbackComesBeforeOnBusyAndMapper() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThat(service.everything()).isEqualTo(new Resp("fallback"));
        });
    }

    @Test
    void aFallbackMayBeGenericOrTakeManyArguments() {
        LockContextRunner.with(executor, StringRepository.class, ManyArguments.class)
                .run(context -> {
                    executor.answerNext(BUSY);
                    assertThat(context.getBean(StringRepository.class).save("A1"))
                            .isEqualTo("later A1");
                    executor.answerNext(BUSY);
                    assertThat(context.getBean(ManyArguments.class).work("A1", "x", "y"))
                            .isEqualTo("later A1 [x, y]");
                    executor.answerNext(BUSY);
                    assertThat(context.getBean(ManyArguments.class).list(1)).containsExactly("later");
                });
    }

    // ------------------------------------------------------------------ onBusy

    @Test
    void skipReturnsNothingInTheShapeOfTheMethod() {
        with(service -> {
            for (int i = 0; i < 7; i++) {
                executor.answerNext(BUSY);
            }
            assertThat(service.skipText()).isNull();
            assertThat(service.skipOptional()).isEmpty();
            assertThat(service.skipOptionalInt()).isEmpty();
            assertThat(service.skipFuture()).isCompletedWithValue(null);
            assertThat(service.skipMono().blockOptional()).isEmpty();
            assertThat(service.skipFlux().collectList().block()).isEmpty();
            service.skipVoid();
            assertThat(executor.events()).isEmpty();
        });
    }

    @Test
    void skipIsForContentionOnly() {
        with(service -> {
            executor.answerNext(DOWN);
            assertThatThrownBy(service::skipText).isInstanceOf(LockBackendException.class);
        });
    }

    @Test
    void throwComesBeforeTheMapper() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThatThrownBy(service::throwing).isInstanceOf(LockNotAcquiredException.class);
            executor.answerNext(DOWN);
            assertThat(service.throwing()).isEqualTo(new Resp("mapped BACKEND_FAILED"));
        });
    }

    // ------------------------------------------------------------------ onInterrupted

    @Test
    void anInterruptedThreadIsAnsweredByTheMapperAndStaysInterrupted() {
        with(service -> {
            Thread.currentThread().interrupt();
            assertThat(service.throwing()).isEqualTo(new Resp("mapped INTERRUPTED"));
            assertThat(Thread.interrupted()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(service::skipText).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(executor.requests()).isEmpty();
        });
    }

    @Test
    void anInterruptedThreadMayThrowBeforeTheMapper() {
        with(service -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(service::throwingInterrupted).isInstanceOf(LockInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            executor.answerNext(BUSY);
            assertThat(service.throwingInterrupted()).isEqualTo(new Resp("mapped BUSY"));
        });
    }

    @Test
    void anInterruptedThreadMaySkipAndStaysInterrupted() {
        with(service -> {
            Thread.currentThread().interrupt();
            assertThat(service.skippingInterrupted()).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
            executor.answerNext(BUSY);
            assertThatThrownBy(service::skippingInterrupted).isExactlyInstanceOf(LockNotAcquiredException.class);
            executor.answerNext(DOWN);
            assertThatThrownBy(service::skippingInterrupted).isInstanceOf(LockBackendException.class);
        });
    }

    @Test
    void anInterruptDuringTheWaitSkipsToo() {
        with(service -> {
            Lease other = executor.occupy("skipInterrupted");
            Thread waiting = Thread.currentThread();
            CompletableFuture<Void> interrupt = CompletableFuture.runAsync(() -> {
                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> executor.waiting() == 1);
                waiting.interrupt();
            });
            assertThat(service.skippingInterrupted()).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(executor.waiting()).isZero();
            interrupt.join();
            other.release();
        });
    }

    @Test
    void theFallbackComesBeforeOnInterrupted() {
        with(service -> {
            Thread.currentThread().interrupt();
            assertThat(service.fallingBackInterrupted()).isEqualTo("fallback, interrupted true");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    // ------------------------------------------------------------------ mapper inside wrappers

    @Test
    void aMapperServesWhatIsInsideAWrapper() {
        with(service -> {
            Resp expected = new Resp("mapped BUSY");
            for (int i = 0; i < 7; i++) {
                executor.answerNext(BUSY);
            }
            assertThat(service.future()).isCompletedWithValue(expected);
            assertThat(service.stage().toCompletableFuture()).isCompletedWithValue(expected);
            assertThat(service.mono().block()).isEqualTo(expected);
            assertThat(service.flux().collectList().block()).containsExactly(expected);
            assertThat(service.optional()).contains(expected);
            assertThat(service.entity().getBody()).isEqualTo(expected);
            assertThat(service.monoOfEntity().block().getBody()).isEqualTo(expected);
        });
    }

    // ------------------------------------------------------------------ backend failure

    /** A scheduled job has no caller who could be told. */
    @Test
    void skipReturnsNothingAndSaysSoInOneLine(CapturedOutput output) {
        LockContextRunner.with(executor, ServiceConfiguration.class).run(context -> {
            for (LockOutcome outcome : List.of(DOWN, NOT_REPLICATED)) {
                executor.answerNext(outcome);
                assertThat(context.getBean(Service.class).skipped()).isNull();
            }
            executor.answerNext(BUSY);
            assertThatThrownBy(() -> context.getBean(Service.class).skipped())
                    .isInstanceOf(LockNotAcquiredException.class);
            assertThat(context.getBean(Service.class).skipped()).isEqualTo("ran");
        });
        assertThat(output)
                .contains("Service.skipped() is skipped, because its lock 'skipped' cannot be acquired. redis is down.")
                .doesNotContain("\tat ");
    }

    @Test
    void proceedRunsWithoutTheLockAndReportsIt(CapturedOutput output) {
        LockContextRunner.with(executor, ServiceConfiguration.class, Listener.class)
                .run(context -> {
                    executor.answerNext(DOWN);
                    assertThat(context.getBean(Service.class).proceeding("A1")).isEqualTo("ran A1");
                    assertThat(output)
                            .contains("WITHOUT its lock 'proceed:A1'")
                            .contains("Service.proceeding(String)")
                            .contains("redis is down");
                    List<LockBypassedEvent> events = context.getBean(Listener.class).events;
                    Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !events.isEmpty());
                    assertThat(events.get(0).lockName()).isEqualTo("proceed:A1");
                    assertThat(events.get(0).method().getName()).isEqualTo("proceeding");
                    executor.answerNext(NOT_REPLICATED);
                    assertThat(context.getBean(Service.class).proceeding("A1")).isEqualTo("ran A1");
                    assertThat(output).contains("0 of 1 replicas");
                    // A closed context has no listener, and says so in the log that other tests read.
                    Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> events.size() == 2);
                    executor.answerNext(BUSY);
                    assertThatThrownBy(() -> context.getBean(Service.class).proceeding("A1"))
                            .isInstanceOf(LockNotAcquiredException.class);
                });
    }

    // ------------------------------------------------------------------ messages

    @Test
    void theMessageIsTextOrACode() {
        with(service -> {
            executor.answerNext(BUSY);
            assertThatThrownBy(service::withText)
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessage("Somebody is at it");
            executor.answerNext(NOT_REPLICATED);
            assertThatThrownBy(service::withText)
                    .isInstanceOf(LockNotReplicatedException.class)
                    .hasMessage("Somebody is at it");
            executor.answerNext(DOWN);
            assertThatThrownBy(service::withText)
                    .isInstanceOf(LockBackendException.class)
                    .hasMessage("Somebody is at it")
                    .hasRootCauseMessage("redis is down");
            executor.answerNext(BUSY);
            assertThatThrownBy(service::withCode).hasMessage("Lock withCode busy for 12 ms");
            executor.answerNext(BUSY);
            assertThatThrownBy(service::withBraces).hasMessage("{lock.busy} is no code here");
        });
    }

    // ------------------------------------------------------------------ what is locked

    record Resp(String message) {}

    static class Listener {
        final List<LockBypassedEvent> events = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LockBypassedEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class ServiceConfiguration {
        @Bean
        LockFailureMapper<Resp> mapper() {
            return failure -> new Resp("mapped " + failure.reason());
        }

        @Bean
        StaticMessageSource messageSource() {
            StaticMessageSource messages = new StaticMessageSource();
            messages.addMessage("lock.busy", Locale.getDefault(), "Lock {0} busy for {1} ms");
            return messages;
        }
    }

    static class Service {

        @DistributionLock(key = "fallbacks", fallbackMethod = "fallback")
        public String withFallbacks(@DistributionLockParam String code) {
            return "ran " + code;
        }

        private String fallback(String code) {
            return "plain " + code;
        }

        private String fallback(String code, LockNotAcquiredException exception) {
            return "busy " + code + " " + exception.getClass().getSimpleName();
        }

        static String fallback(String code, LockBackendException exception) {
            return "down " + code + " " + exception.getCause().getMessage();
        }

        @DistributionLock(key = "plain", fallbackMethod = "plainFallback")
        public String withPlainFallback(String code) {
            return "ran " + code;
        }

        public String plainFallback(Object code) {
            return "fallback " + code;
        }

        @DistributionLock(key = "backend", fallbackMethod = "onlyBackend")
        public String withFallbackForBackend() {
            return "ran";
        }

        String onlyBackend(LockBackendException exception) {
            return "down";
        }

        @DistributionLock(key = "failing", fallbackMethod = "failingFallback")
        public void withFailingFallback() throws IOException {}

        void failingFallback() throws IOException {
            throw new IOException("from the fallback");
        }

        @DistributionLock(key = "everything", fallbackMethod = "everythingFallback", onBusy = OnBusy.SKIP)
        public Resp everything() {
            return new Resp("ran");
        }

        Resp everythingFallback() {
            return new Resp("fallback");
        }

        @DistributionLock(key = "s1", onBusy = OnBusy.SKIP)
        public String skipText() {
            return "ran";
        }

        @DistributionLock(key = "s2", onBusy = OnBusy.SKIP)
        public Optional<String> skipOptional() {
            return Optional.of("ran");
        }

        @DistributionLock(key = "s3", onBusy = OnBusy.SKIP)
        public OptionalInt skipOptionalInt() {
            return OptionalInt.of(1);
        }

        @DistributionLock(key = "s4", onBusy = OnBusy.SKIP)
        public CompletableFuture<String> skipFuture() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributionLock(key = "s5", onBusy = OnBusy.SKIP)
        public Mono<String> skipMono() {
            return Mono.just("ran");
        }

        @DistributionLock(key = "s6", onBusy = OnBusy.SKIP)
        public Flux<String> skipFlux() {
            return Flux.just("ran");
        }

        @DistributionLock(key = "s7", onBusy = OnBusy.SKIP)
        public void skipVoid() {}

        @DistributionLock(key = "throwing", onBusy = OnBusy.THROW)
        public Resp throwing() {
            return new Resp("ran");
        }

        @DistributionLock(key = "throwInterrupted", onInterrupted = OnInterrupted.THROW)
        public Resp throwingInterrupted() {
            return new Resp("ran");
        }

        @DistributionLock(key = "skipInterrupted", onInterrupted = OnInterrupted.SKIP)
        public Optional<String> skippingInterrupted() {
            return Optional.of("ran");
        }

        @DistributionLock(
                key = "fallBackInterrupted",
                fallbackMethod = "fallenBack",
                onInterrupted = OnInterrupted.SKIP)
        public String fallingBackInterrupted() {
            return "ran";
        }

        String fallenBack(LockInterruptedException exception) {
            return "fallback, interrupted " + Thread.currentThread().isInterrupted();
        }

        @DistributionLock(key = "w1")
        public CompletableFuture<Resp> future() {
            return CompletableFuture.completedFuture(new Resp("ran"));
        }

        @DistributionLock(key = "w2")
        public CompletionStage<Resp> stage() {
            return CompletableFuture.completedFuture(new Resp("ran"));
        }

        @DistributionLock(key = "w3")
        public Mono<Resp> mono() {
            return Mono.just(new Resp("ran"));
        }

        @DistributionLock(key = "w4")
        public Flux<Resp> flux() {
            return Flux.just(new Resp("ran"));
        }

        @DistributionLock(key = "w5")
        public Optional<Resp> optional() {
            return Optional.of(new Resp("ran"));
        }

        @DistributionLock(key = "w6")
        public ResponseEntity<Resp> entity() {
            return ResponseEntity.ok(new Resp("ran"));
        }

        @DistributionLock(key = "w7")
        public Mono<ResponseEntity<Resp>> monoOfEntity() {
            return Mono.just(ResponseEntity.ok(new Resp("ran")));
        }

        @DistributionLock(key = "skipped", onBackendFailure = OnBackendFailure.SKIP)
        public String skipped() {
            return "ran";
        }

        @DistributionLock(key = "proceed", onBackendFailure = OnBackendFailure.PROCEED)
        public String proceeding(@DistributionLockParam String code) {
            return "ran " + code;
        }

        @DistributionLock(key = "withText", message = "Somebody is at it")
        public void withText() {}

        @DistributionLock(key = "withCode", message = "{lock.busy}")
        public void withCode() {}

        @DistributionLock(key = "withBraces", message = "{lock.busy} is no code here")
        public void withBraces() {}
    }

    abstract static class Repository<T> {
        @DistributionLock(key = "repository", fallbackMethod = "saveLater")
        public T save(T value) {
            return value;
        }

        protected abstract T saveLater(T value, LockNotAcquiredException exception);
    }

    static class StringRepository extends Repository<String> {
        @Override
        protected String saveLater(String value, LockNotAcquiredException exception) {
            return "later " + value;
        }
    }

    static class ManyArguments {
        @DistributionLock(key = "many", fallbackMethod = "later")
        public String work(String code, String... more) {
            return "ran";
        }

        private String later(String code, String... more) {
            return "later " + code + " " + List.of(more);
        }

        @DistributionLock(key = "list", fallbackMethod = "laterList")
        public List<String> list(int number) {
            return List.of("ran");
        }

        <T extends Integer> java.util.ArrayList<String> laterList(T number, RuntimeException exception) {
            return new java.util.ArrayList<>(List.of("later"));
        }
    }
}
