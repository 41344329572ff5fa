package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.subjects.SingleSubject;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kotlin.sequences.Sequence;
import kotlin.sequences.SequencesKt;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CompletableDeferred;
import kotlinx.coroutines.CompletableDeferredKt;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.Disposable;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A lock is never released before the work ends, whatever type a method declares: it is held, or the type is refused. */
@Tag("boot4")
class LaterResultTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    // ------------------------------------------------------------------ held to the end

    static Stream<Arguments> types() {
        return Stream.of(
                held("future", Service::future),
                held("stage", Service::stage),
                held("mono", service -> service.mono().toFuture()),
                held("flux", service -> service.flux().next().toFuture()),
                held("single", service -> service.single().toCompletionStage()),
                held("maybe", service -> service.maybe().toCompletionStage()),
                held("completable", service -> service.completable().toCompletionStage("done")),
                held(
                        "observable",
                        service -> service.observable().firstElement().toCompletionStage()),
                held("flowable", service -> service.flowable().firstElement().toCompletionStage()),
                held("uni", service -> service.uni().subscribeAsCompletionStage()),
                held("multi", service -> service.multi().collect().first().subscribeAsCompletionStage()),
                held(
                        "publisher",
                        service -> Flux.from(service.publisher()).next().toFuture()),
                held(
                        "flowPublisher",
                        service -> reactor.adapter.JdkFlowAdapter.flowPublisherToFlux(service.flowPublisher())
                                .next()
                                .toFuture()),
                held("deferred", service -> kotlinx.coroutines.future.FutureKt.asCompletableFuture(service.deferred())),
                held(
                        "flow",
                        service -> Flux.from(ReactiveFlowKt.asPublisher(service.flow()))
                                .next()
                                .toFuture()));
    }

    private static Arguments held(String name, Function<Service, CompletionStage<?>> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void theLockIsHeldToTheEnd(String name, Function<Service, CompletionStage<?>> call) {
        with((service, own) -> {
            CompletableFuture<?> result = call.apply(service).toCompletableFuture();
            assertThat(executor.isHeld(name)).isTrue();
            assertThat(result).isNotDone();
            own.complete("done");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld(name));
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void itsFailurePassesThrough(String name, Function<Service, CompletionStage<?>> call) {
        with((service, own) -> {
            IllegalStateException failure = new IllegalStateException("own");
            CompletableFuture<?> result = call.apply(service).toCompletableFuture();
            own.completeExceptionally(failure);
            Throwable thrown = catchThrowable(() -> result.get(20, TimeUnit.SECONDS));
            assertThat(thrown)
                    .isInstanceOf(ExecutionException.class)
                    .rootCause()
                    .hasMessage("own");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld(name));
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void aBusyLockIsWaitedForAndAFailureIsReported(String name, Function<Service, CompletionStage<?>> call) {
        with((service, own) -> {
            executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(5)));
            CompletableFuture<?> refused = call.apply(service).toCompletableFuture();
            assertThat(catchThrowable(() -> refused.get(20, TimeUnit.SECONDS)))
                    .hasRootCauseInstanceOf(LockNotAcquiredException.class);
            var other = executor.occupy(name);
            CompletableFuture<?> result = call.apply(service).toCompletableFuture();
            assertThat(executor.waiting()).isOne();
            own.complete("done");
            assertThat(result).isNotDone();
            other.release();
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void aDeferredThatIsCancelledFreesTheLockWhenItsWorkHasEnded() {
        with((service, own) -> {
            Deferred<String> result = service.stubborn();
            // Cancelled any earlier, the work would end without having begun.
            assertThat(service.stubbornBegan()).isTrue();
            result.cancel(new CancellationException("enough"));
            assertThat(executor.isHeld("stubborn")).isTrue();
            assertThat(service.stubbornIsCancelled()).isTrue();
            service.endStubborn();
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("stubborn"));
        });
    }

    @Test
    void whatIsSkippedIsEmpty() {
        LockContextRunner.with(executor, Skipping.class).run(context -> {
            assertThat(context).hasNotFailed();
            Skipping service = context.getBean(Skipping.class);
            executor.occupy("skip");
            assertThat(service.maybe().blockingGet()).isNull();
            assertThat(service.observable().toList().blockingGet()).isEmpty();
            assertThat(service.uni().await().atMost(LONG)).isNull();
            assertThat(service.deferred().getCompleted()).isNull();
            service.completable().blockingAwait();
        });
    }

    @Test
    void whatCannotBeEmptyCannotBeSkipped() {
        LockContextRunner.with(executor, SkippingSingle.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("SkippingSingle.work()")
                        .hasMessageContaining("SKIP"));
    }

    // ------------------------------------------------------------------ refused at the start

    @ParameterizedTest
    @ValueSource(classes = {OfTheJdk.class, OfSpring.class, OfLibraries.class, Wrapped.class})
    void aResultThatDoesNotReportItsEndIsRefusedAtTheStart(Class<?> bean) {
        LockContextRunner.with(executor, bean).run(context -> {
            assertThat(context).hasFailed();
            InvalidLockDefinitionException failure = (InvalidLockDefinitionException) context.getStartupFailure();
            assertThat(failure.problems())
                    .allSatisfy(problem ->
                            assertThat(problem.description()).contains("cannot know when the work has ended"))
                    .allSatisfy(problem -> assertThat(problem.action()).contains("Return the value itself"));
            String all = failure.getMessage();
            assertThat(Arrays.stream(bean.getDeclaredMethods())
                            .filter(method -> !method.isSynthetic())
                            .map(method -> bean.getSimpleName() + "." + method.getName() + "()")
                            .filter(method -> !all.contains(method)))
                    .as("methods that are not refused")
                    .isEmpty();
        });
    }

    @Test
    void whatIsDoneWhenTheMethodReturnsIsNotRefused() {
        LockContextRunner.with(executor, Done.class).run(context -> {
            assertThat(context).hasNotFailed();
            Done service = context.getBean(Done.class);
            assertThat(service.list()).containsExactly("a");
            assertThat(service.untold(service)).isSameAs(service);
            assertThat(service.untold("text")).isEqualTo("text");
            assertThat(service.untold(Map.of("a", 1))).isEqualTo(Map.of("a", 1));
            assertThat(service.command().run()).isEqualTo("done");
            assertThat(service.type()).isEqualTo(Runnable.class);
        });
    }

    // ------------------------------------------------------------------ @Async

    @Test
    void anAsyncMethodMayReturnAnyFutureAndIsLockedUntilItHasEnded() {
        LockContextRunner.with(executor, AsyncConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            AsyncService service = context.getBean(AsyncService.class);
            assertThat(service.done().get(20, TimeUnit.SECONDS)).isEqualTo("done");
            Future<String> result = service.later();
            Awaitility.await().atMost(LONG).until(service::isCalled);
            assertThat(executor.isHeld("later")).isTrue();
            service.own().complete("later");
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("later");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("later"));
        });
    }

    @Test
    void anAsyncMethodIsLockedUntilAFutureOfAnotherTypeHasEnded() {
        LockContextRunner.with(executor, AsyncConfiguration.class).run(context -> {
            AsyncService service = context.getBean(AsyncService.class);
            Future<String> result = service.task();
            Awaitility.await().atMost(LONG).until(service::isCalled);
            assertThat(executor.isHeld("task")).isTrue();
            service.runTask();
            assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("task");
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("task"));
        });
    }

    /** It interrupts the thread that waits for the future. */
    @Test
    void cancellingTheResultOfAnAsyncMethodKeepsTheLockUntilItsFutureHasEnded() {
        LockContextRunner.with(executor, AsyncConfiguration.class).run(context -> {
            AsyncService service = context.getBean(AsyncService.class);
            Future<String> result = service.task();
            Awaitility.await().atMost(LONG).until(() -> service.waitsForTask() == 1);
            assertThat(result.cancel(true)).isTrue();
            Awaitility.await().atMost(LONG).until(() -> service.waitsForTask() == 2 || !executor.isHeld("task"));
            assertThat(executor.isHeld("task")).isTrue();
            service.runTask();
            Awaitility.await().atMost(LONG).until(() -> !executor.isHeld("task"));
        });
    }

    // ------------------------------------------------------------------ nothing at all

    @Test
    void aNullInsteadOfAMonoIsAnError() {
        LockContextRunner.with(executor, Nothing.class).run(context -> {
            Nothing service = context.getBean(Nothing.class);
            assertThatThrownBy(() -> service.mono().block(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Nothing.mono()")
                    .hasMessageContaining("null instead of a Mono");
            assertThatThrownBy(() -> service.flux().blockLast(LONG)).hasMessageContaining("null instead of a Flux");
            assertThatThrownBy(() -> service.single().blockingGet()).hasMessageContaining("null instead of a Single");
            assertThat(service.future()).isNull();
            var other = executor.occupy("nothing");
            CompletableFuture<String> later = service.future();
            other.release();
            assertThat(catchThrowable(() -> later.get(20, TimeUnit.SECONDS)))
                    .cause()
                    .hasMessageContaining("null instead of a CompletableFuture");
            Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
        });
    }

    // ------------------------------------------------------------------ the services

    @FunctionalInterface
    private interface Body {
        void run(Service service, CompletableFuture<String> own) throws Exception;
    }

    private void with(Body test) {
        LockContextRunner.with(executor, Service.class).run(context -> {
            assertThat(context).hasNotFailed();
            Service service = context.getBean(Service.class);
            test.run(service, service.own());
        });
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    static class Service {

        private final CompletableFuture<String> own = new CompletableFuture<>();
        private final CountDownLatch begin = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private Deferred<String> stubborn;

        boolean stubbornBegan() throws InterruptedException {
            return begin.await(20, TimeUnit.SECONDS);
        }

        boolean stubbornIsCancelled() {
            return stubborn.isCancelled();
        }

        void endStubborn() {
            end.countDown();
        }

        CompletableFuture<String> own() {
            return own;
        }

        @DistributionLock(key = "future")
        public CompletableFuture<String> future() {
            return own;
        }

        @DistributionLock(key = "stage")
        public CompletionStage<String> stage() {
            return own;
        }

        @DistributionLock(key = "mono")
        public Mono<String> mono() {
            return Mono.fromFuture(own);
        }

        @DistributionLock(key = "flux")
        public Flux<String> flux() {
            return Flux.from(mono());
        }

        @DistributionLock(key = "single")
        public Single<String> single() {
            return Single.fromCompletionStage(own);
        }

        @DistributionLock(key = "maybe")
        public Maybe<String> maybe() {
            return Maybe.fromCompletionStage(own);
        }

        @DistributionLock(key = "completable")
        public Completable completable() {
            return Completable.fromCompletionStage(own);
        }

        @DistributionLock(key = "observable")
        public Observable<String> observable() {
            return Observable.fromCompletionStage(own);
        }

        @DistributionLock(key = "flowable")
        public Flowable<String> flowable() {
            return Flowable.fromCompletionStage(own);
        }

        @DistributionLock(key = "uni")
        public Uni<String> uni() {
            return Uni.createFrom().completionStage(own);
        }

        @DistributionLock(key = "multi")
        public Multi<String> multi() {
            return Multi.createFrom().completionStage(own);
        }

        @DistributionLock(key = "publisher")
        public Publisher<String> publisher() {
            return Mono.fromFuture(own);
        }

        @DistributionLock(key = "flowPublisher")
        public Flow.Publisher<String> flowPublisher() {
            return reactor.adapter.JdkFlowAdapter.publisherToFlowPublisher(Mono.fromFuture(own));
        }

        @DistributionLock(key = "deferred")
        public Deferred<String> deferred() {
            return kotlinx.coroutines.future.FutureKt.asDeferred(own);
        }

        @DistributionLock(key = "flow")
        public kotlinx.coroutines.flow.Flow<String> flow() {
            return ReactiveFlowKt.asFlow(Mono.fromFuture(own));
        }

        @DistributionLock(key = "stubborn")
        public Deferred<String> stubborn() {
            stubborn = BuildersKt.async(
                    GlobalScope.INSTANCE, Dispatchers.getIO(), CoroutineStart.DEFAULT, (scope, rest) -> {
                        begin.countDown();
                        Awaitility.await().atMost(LONG).until(() -> end.getCount() == 0);
                        return "ended after all";
                    });
            return stubborn;
        }
    }

    static class Skipping {

        @DistributionLock(key = "skip", tryLockTime = 0, onBusy = OnBusy.SKIP)
        public Maybe<String> maybe() {
            return Maybe.just("ran");
        }

        @DistributionLock(key = "skip", tryLockTime = 0, onBusy = OnBusy.SKIP)
        public Observable<String> observable() {
            return Observable.just("ran");
        }

        @DistributionLock(key = "skip", tryLockTime = 0, onBusy = OnBusy.SKIP)
        public Uni<String> uni() {
            return Uni.createFrom().item("ran");
        }

        @DistributionLock(key = "skip", tryLockTime = 0, onBusy = OnBusy.SKIP)
        public Deferred<String> deferred() {
            return CompletableDeferredKt.CompletableDeferred("ran");
        }

        @DistributionLock(key = "skip", tryLockTime = 0, onBusy = OnBusy.SKIP)
        public Completable completable() {
            return Completable.error(new IllegalStateException("ran"));
        }
    }

    static class SkippingSingle {

        @DistributionLock(key = "skip", onBusy = OnBusy.SKIP)
        public Single<String> work() {
            return Single.just("ran");
        }
    }

    @DistributionLock(key = "refused")
    static class OfTheJdk {

        public Stream<String> stream() {
            return Stream.of();
        }

        public IntStream intStream() {
            return IntStream.of();
        }

        public Callable<String> callable() {
            return () -> "";
        }

        public Supplier<String> supplier() {
            return () -> "";
        }

        public IntSupplier intSupplier() {
            return () -> 1;
        }

        public Runnable runnable() {
            return () -> {};
        }

        public Iterator<String> iterator() {
            return List.of("").iterator();
        }

        public Future<String> future() {
            return CompletableFuture.completedFuture("");
        }

        public FutureTask<String> task() {
            return new FutureTask<>(() -> "");
        }
    }

    @DistributionLock(key = "refused")
    @SuppressWarnings("removal")
    static class OfSpring {

        public DeferredResult<String> deferred() {
            return new DeferredResult<>();
        }

        public WebAsyncTask<String> task() {
            return new WebAsyncTask<>(() -> "");
        }

        public StreamingResponseBody body() {
            return out -> {};
        }

        public ResponseBodyEmitter emitter() {
            return new ResponseBodyEmitter();
        }

        public SseEmitter events() {
            return new SseEmitter();
        }
    }

    @DistributionLock(key = "refused")
    static class OfLibraries {

        public Sequence<String> sequence() {
            return SequencesKt.sequenceOf("");
        }

        public kotlin.jvm.functions.Function0<String> function() {
            return () -> "";
        }

        public Job job() {
            return CompletableDeferredKt.CompletableDeferred((Job) null);
        }

        public CompletableDeferred<String> completable() {
            return CompletableDeferredKt.CompletableDeferred((Job) null);
        }

        public Disposable disposable() {
            return Mono.just("").subscribe();
        }

        public SingleSubject<String> subject() {
            return SingleSubject.create();
        }

        public ConnectableFlux<String> flux() {
            return Flux.just("").publish();
        }
    }

    @DistributionLock(key = "refused")
    static class Wrapped {

        public ResponseEntity<Flux<String>> responseOfFlux() {
            return ResponseEntity.ok(Flux.just(""));
        }

        public ResponseEntity<Mono<String>> responseOfMono() {
            return ResponseEntity.ok(Mono.just(""));
        }

        public HttpEntity<StreamingResponseBody> entityOfBody() {
            return new HttpEntity<>(out -> {});
        }

        public Mono<ResponseEntity<Flux<String>>> monoOfResponseOfFlux() {
            return Mono.just(responseOfFlux());
        }

        public Optional<CompletableFuture<String>> optionalFuture() {
            return Optional.empty();
        }

        public Collection<CompletableFuture<String>> futures() {
            return List.of();
        }

        public List<? extends Future<?>> wildFutures() {
            return List.of();
        }

        public Map<String, Mono<String>> monos() {
            return Map.of();
        }

        @SuppressWarnings("unchecked")
        public CompletableFuture<String>[] array() {
            return new CompletableFuture[0];
        }

        public CompletableFuture<Stream<String>> futureOfStream() {
            return CompletableFuture.completedFuture(Stream.of());
        }

        public Deferred<Sequence<String>> deferredSequence() {
            return CompletableDeferredKt.CompletableDeferred(SequencesKt.sequenceOf(""));
        }

        public Futures ownList() {
            return new Futures();
        }
    }

    static class Futures extends java.util.ArrayList<CompletableFuture<String>> {
        private static final long serialVersionUID = 1L;
    }

    /** A value of the application, whatever it can do besides. */
    record Command(String name) implements Callable<String>, Supplier<String> {
        @Override
        public String call() {
            return name;
        }

        @Override
        public String get() {
            return name;
        }

        String run() {
            return name;
        }
    }

    static class Done implements Supplier<String> {

        @Override
        public String get() {
            return "done";
        }

        @DistributionLock(key = "list")
        public List<String> list() {
            return List.of("a");
        }

        @DistributionLock(key = "untold")
        public Object untold(Object value) {
            return value;
        }

        @DistributionLock(key = "command")
        public Command command() {
            return new Command("done");
        }

        @DistributionLock(key = "type")
        public Class<? extends Runnable> type() {
            return Runnable.class;
        }
    }

    static class Nothing {

        @DistributionLock(key = "nothing")
        public Mono<String> mono() {
            return null;
        }

        @DistributionLock(key = "nothing")
        public Flux<String> flux() {
            return null;
        }

        @DistributionLock(key = "nothing")
        public Single<String> single() {
            return null;
        }

        @DistributionLock(key = "nothing")
        public CompletableFuture<String> future() {
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class AsyncConfiguration {

        @Bean
        SimpleAsyncTaskExecutor taskExecutor() {
            return new SimpleAsyncTaskExecutor("async-");
        }

        @Bean
        AsyncService asyncService() {
            return new AsyncService();
        }
    }

    static class AsyncService {

        private final CompletableFuture<String> own = new CompletableFuture<>();
        private final AtomicInteger waitsForTask = new AtomicInteger();
        private final FutureTask<String> task = new FutureTask<>(() -> "task") {
            @Override
            public String get() throws InterruptedException, ExecutionException {
                waitsForTask.incrementAndGet();
                return super.get();
            }
        };
        private volatile boolean called;

        CompletableFuture<String> own() {
            return own;
        }

        int waitsForTask() {
            return waitsForTask.get();
        }

        void runTask() {
            task.run();
        }

        boolean isCalled() {
            return called;
        }

        @Async
        @DistributionLock(key = "task")
        public Future<String> task() {
            called = true;
            return task;
        }

        @Async
        @DistributionLock(key = "done")
        public Future<String> done() {
            return CompletableFuture.completedFuture("done");
        }

        @Async
        @DistributionLock(key = "later")
        public Future<String> later() {
            called = true;
            return own;
        }
    }
}
