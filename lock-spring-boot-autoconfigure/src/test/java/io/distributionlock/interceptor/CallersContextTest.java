package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributionlock.Lease;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.KotlinSource;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A locked method sees what its caller's thread knows, whichever thread runs it. */
@Tag("boot4")
public class CallersContextTest {

    /** Longer than a lock is waited for: what keeps it from being acquired is told. */
    private static final Duration LONG = Duration.ofSeconds(90);

    private static final String OWN_THREADS = "distribution-lock-callbacks";
    private static final Seen CALLERS = new Seen("alice", "trace-1", "request", "order", Locale.KOREAN, "acme");
    private static final Seen NOTHING = new Seen(null, null, null, null, Locale.getDefault(), null);
    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final ObservationRegistry observations = ObservationRegistry.create();

    CallersContextTest() {
        observations.observationConfig().observationHandler(observation -> true);
    }

    @AfterEach
    void leaveNothingBehind() {
        forget();
        ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
    }

    private static void forget() {
        SecurityContextHolder.clearContext();
        MDC.clear();
        RequestContextHolder.resetRequestAttributes();
        LocaleContextHolder.resetLocaleContext();
        TENANT.remove();
    }

    /** What the current thread knows of the call that it serves. */
    record Seen(
            @Nullable String user,
            @Nullable String trace,
            @Nullable String observation,
            @Nullable String order,
            Locale locale,
            @Nullable String tenant) {

        static Seen now(ObservationRegistry observations) {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            Observation observation = observations.getCurrentObservation();
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            return new Seen(
                    user == null ? null : user.getName(),
                    MDC.get("trace"),
                    observation == null ? null : observation.getContext().getName(),
                    request == null ? null : (String) request.getAttribute("order", RequestAttributes.SCOPE_REQUEST),
                    LocaleContextHolder.getLocale(),
                    TENANT.get());
        }
    }

    private void asCaller(Runnable call) {
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
        SecurityContext security = SecurityContextHolder.createEmptyContext();
        security.setAuthentication(UsernamePasswordAuthenticationToken.authenticated("alice", "", List.of()));
        SecurityContextHolder.setContext(security);
        MDC.put("trace", "trace-1");
        ServletRequestAttributes request = new ServletRequestAttributes(new MockHttpServletRequest());
        request.setAttribute("order", "order", RequestAttributes.SCOPE_REQUEST);
        RequestContextHolder.setRequestAttributes(request);
        LocaleContextHolder.setLocale(Locale.KOREAN);
        TENANT.set("acme");
        Observation.createNotStarted("request", observations).observe(call);
        assertThat(MDC.get("trace")).isEqualTo("trace-1");
    }

    private void with(Body test) {
        LockContextRunner.with(executor)
                .withBean(ObservationRegistry.class, () -> observations)
                .withBean(Service.class)
                .run(context -> test.run(context.getBean(Service.class)));
        Awaitility.await().atMost(LONG).until(executor::nothingHeldOrWaiting);
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service) throws Exception;
    }

    // ------------------------------------------------------------------ a free and a busy lock

    record Shape(String name, Function<Service, CompletionStage<Seen>> call) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Shape> shapes() {
        return Stream.of(
                new Shape("future", Service::future),
                new Shape("Mono", service -> service.mono().toFuture()),
                new Shape("Flux", service -> service.flux().next().toFuture()),
                new Shape("inside of a Mono", service -> service.inside().toFuture()),
                new Shape(
                        "Mono, subscribed elsewhere",
                        service -> service.mono()
                                .subscribeOn(Schedulers.parallel())
                                .toFuture()),
                new Shape("Uni", service -> service.uni().subscribe().asCompletionStage()),
                new Shape("stage after it", service -> service.future().thenApply(seen -> service.seen())),
                new Shape(
                        "operator after it",
                        service -> service.mono().map(seen -> service.seen()).toFuture()));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void isSeenWithAFreeLock(Shape shape) {
        with(service ->
                asCaller(() -> assertThat(resultOf(shape.call().apply(service))).isEqualTo(CALLERS)));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void isSeenWithABusyLock(Shape shape) {
        with(service -> seenAfterWaiting(shape, service));
    }

    @Tag("threads")
    @ParameterizedTest
    @MethodSource("shapes")
    void isSeenOnAVirtualThread(Shape shape) {
        assumeTrue(Runtime.version().feature() >= 21, "this Java has no virtual threads");
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("caller-");
        threads.setVirtualThreads(true);
        with(service -> resultOf(threads.submitCompletable(() -> seenAfterWaiting(shape, service))));
    }

    private void seenAfterWaiting(Shape shape, Service service) {
        Lease other = executor.occupy("order");
        asCaller(() -> {
            CompletionStage<Seen> result = shape.call().apply(service);
            Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 1);
            on("engine", other::release);
            assertThat(resultOf(result)).isEqualTo(CALLERS);
        });
    }

    @Test
    void isSeenByTheFallback() {
        with(service -> {
            Lease other = executor.occupy("refused");
            asCaller(() -> assertThat(resultOf(service.refused())).isEqualTo(CALLERS));
            other.release();
        });
    }

    @Test
    void isSeenByASuspendingFunction(@TempDir Path folder) throws Exception {
        try (URLClassLoader kotlin = KotlinSource.compile(SUSPENDING, folder)) {
            LockContextRunner.with(executor, kotlin.loadClass("k.Suspending"))
                    .withClassLoader(kotlin)
                    .run(context -> {
                        Object bean = context.getBean(kotlin.loadClass("k.Suspending"));
                        Object caller = kotlin.loadClass("k.Caller")
                                .getConstructors()[0]
                                .newInstance(bean);
                        CallFromKotlin suspending = (CallFromKotlin) caller;
                        asCaller(() -> assertThat(suspending.call()).isEqualTo("alice trace-1"));
                        Lease other = executor.occupy("suspending");
                        asCaller(() -> {
                            CompletableFuture<String> later = suspending.begin();
                            Awaitility.await().atMost(LONG).until(() -> executor.waiting() == 1);
                            on("engine", other::release);
                            assertThat(resultOf(later)).isEqualTo("alice trace-1");
                        });
                    });
        }
    }

    /** What the Kotlin of the test offers. */
    public interface CallFromKotlin {

        /** Calls with a thread that waits for the result. */
        String call();

        /** Calls without a thread of its own. */
        CompletableFuture<String> begin();
    }

    private static final String SUSPENDING = """
            package k

            import io.distributionlock.annotation.DistributionLock
            import io.distributionlock.interceptor.CallersContextTest
            import kotlinx.coroutines.*
            import kotlinx.coroutines.future.future
            import org.slf4j.MDC
            import org.springframework.security.core.context.SecurityContextHolder
            import org.springframework.stereotype.Component

            @Component
            class Suspending {
                @DistributionLock(key = "suspending")
                suspend fun seen(): String =
                    SecurityContextHolder.getContext().authentication?.name + " " + MDC.get("trace")
            }

            class Caller(private val service: Suspending) : CallersContextTest.CallFromKotlin {
                override fun call() = runBlocking { service.seen() }
                override fun begin() = CoroutineScope(Dispatchers.Unconfined).future { service.seen() }
            }
            """;

    // ------------------------------------------------------------------ nothing else

    /** Else a method would run with the rights of whoever used the thread before. */
    @Test
    void whatTheCallerDoesNotKnowIsNotSeenEither() {
        with(service -> {
            seenAfterWaiting(new Shape("future", Service::future), service);
            // Without the accessor, the thread could not put back what it had before.
            forget();
            Lease other = executor.occupy("order");
            CompletableFuture<Seen> result = service.future();
            on("engine", other::release);
            assertThat(resultOf(result)).isEqualTo(NOTHING);
        });
    }

    @Test
    void theThreadKeepsItsOwn() {
        AsyncTaskExecutor single = pool("its own");
        asCaller(() -> {
            CompletableFuture<Seen> seen = new CompletableFuture<>();
            CallerContext.captured().on(single).execute(() -> seen.complete(Seen.now(observations)));
            assertThat(resultOf(seen)).isEqualTo(CALLERS);
        });
        assertThat(resultOf(single.submitCompletable(() -> MDC.get("trace")))).isEqualTo("its own");
    }

    private static AsyncTaskExecutor pool(String trace) {
        AsyncTaskExecutor pool =
                new TaskExecutorAdapter(Executors.newSingleThreadExecutor(new CustomizableThreadFactory("pool-")));
        resultOf(pool.submitCompletable(() -> MDC.put("trace", trace)));
        return pool;
    }

    // ------------------------------------------------------------------ which thread

    @Test
    void theMethodRunsOnTheCallersThreadIfNobodyHasToBeAsked() {
        with(service -> assertThat(resultOf(service.thread()))
                .isEqualTo(Thread.currentThread().getName()));
    }

    @Tag("threads")
    @Test
    void theMethodRunsOnAThreadOfTheLibraryIfTheLockIsBusy() {
        with(service -> {
            Lease other = executor.occupy("thread");
            CompletableFuture<String> result = service.thread();
            on("engine", other::release);
            assertThat(resultOf(result)).startsWith(OWN_THREADS);
        });
    }

    /** Its answer may come before the call has returned, or after it. */
    @Test
    void withRedisItIsOneOfTheTwoAndTheContextIsTheSame() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            LockContextRunner.redis(redis.port())
                    .withBean(ObservationRegistry.class, () -> observations)
                    .withBean(Service.class)
                    .run(context -> {
                        Service service = context.getBean(Service.class);
                        List<Seen> seen = new ArrayList<>();
                        List<String> threads = new ArrayList<>();
                        asCaller(() -> {
                            for (int i = 0; i < 50; i++) {
                                seen.add(resultOf(service.future()));
                                seen.add(resultOf(service.mono().toFuture()));
                                threads.add(resultOf(service.thread()));
                            }
                        });
                        assertThat(seen).containsOnly(CALLERS);
                        String caller = Thread.currentThread().getName();
                        assertThat(threads).allMatch(thread -> thread.equals(caller) || thread.startsWith(OWN_THREADS));
                    });
        }
    }

    private static <T> T resultOf(CompletionStage<T> result) {
        try {
            return result.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void on(String thread, Runnable action) {
        new Thread(action, thread).start();
    }

    static class Service {

        private final ObservationRegistry observations;

        Service(ObservationRegistry observations) {
            this.observations = observations;
        }

        Seen seen() {
            return Seen.now(observations);
        }

        @DistributionLock(key = "order")
        public CompletableFuture<Seen> future() {
            return CompletableFuture.completedFuture(seen());
        }

        @DistributionLock(key = "order")
        public Mono<Seen> mono() {
            return Mono.just(seen());
        }

        @DistributionLock(key = "order")
        public Flux<Seen> flux() {
            return Flux.just(seen());
        }

        @DistributionLock(key = "order")
        public Mono<Seen> inside() {
            return Mono.fromCallable(this::seen);
        }

        @DistributionLock(key = "order")
        public io.smallrye.mutiny.Uni<Seen> uni() {
            return io.smallrye.mutiny.Uni.createFrom().item(seen());
        }

        @DistributionLock(key = "thread")
        public CompletableFuture<String> thread() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @DistributionLock(key = "refused", tryLockTime = 20, fallbackMethod = "instead")
        public CompletableFuture<Seen> refused() {
            return CompletableFuture.completedFuture(null);
        }

        private CompletableFuture<Seen> instead() {
            return CompletableFuture.completedFuture(seen());
        }
    }
}
