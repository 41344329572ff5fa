package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderListener;
import io.distributionlock.leader.LeaderTerm;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The rule of the page on architecture: no answer, grant, loss, revocation, release or election waits for code of a user. All callbacks
 * of an application block for good, far more than any pool has threads, and every call ends in its time all the same.
 */
@Tag("threads")
class BlockedCallbacksTest {

    private static final int MANY = 300;
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Duration LONG_LEASE = Duration.ofMinutes(5);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    enum Place {
        LOCAL {
            @Override
            ApplicationContextRunner ofPlace() {
                return LockContextRunner.local(Methods.class);
            }
        },
        REDIS {
            @Override
            ApplicationContextRunner ofPlace() {
                return LockContextRunner.redis(redis.port()).withUserConfiguration(Methods.class);
            }
        },
        QUORUM {
            @Override
            ApplicationContextRunner ofPlace() {
                return LockContextRunner.plain()
                        .withUserConfiguration(Methods.class)
                        .withPropertyValues(
                                "distribution-lock.executor=quorum",
                                "distribution-lock.quorum.nodes[0]=redis://127.0.0.1:" + redis.port(),
                                "distribution-lock.quorum.node-timeout=5s",
                                "distribution-lock.defaults.try-lock-time=20s");
            }
        };

        abstract ApplicationContextRunner ofPlace();

        ApplicationContextRunner application() {
            return ofPlace().withPropertyValues("distribution-lock.shutdown.timeout=0s");
        }
    }

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();

    private void blockForGood() {
        blocked.incrementAndGet();
        awaitQuietly(end);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallEndsInItsTime(Place place) {
        place.application().run(context -> {
            assertThat(context).hasNotFailed();
            LockTemplate locks = context.getBean(LockTemplate.class);
            Service service = context.getBean(Service.class);
            List<LeaderElection> elections = new ArrayList<>();
            try {
                blockStages(locks);
                blockListenersOfLosses(locks);
                blockStagesOfMethods(service);
                blockMethodsThatHadToWait(locks, service);
                blockListenersOfElections(locks, elections);
                await().atMost(MAX_WAIT).until(() -> blocked.get() == 4 * MANY + 3);
                requireAllEnd(calls(context));
                requireAllEnd(stops(context, elections));
            } finally {
                end.countDown();
            }
        });
    }

    // ------------------------------------------------------------------ what blocks

    private void blockStages(LockTemplate locks) {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            held.add(locks.acquire("stage:" + i));
            locks.acquireAsync(patient(locks, "stage:" + i)).thenAccept(outcome -> blockForGood());
        }
        held.forEach(Lease::releaseAsync);
    }

    private void blockListenersOfLosses(LockTemplate locks) {
        for (int i = 0; i < MANY; i++) {
            locks.acquire("listener:" + i).onLost(lost -> blockForGood());
            locks.forceRelease("listener:" + i);
        }
    }

    private void blockStagesOfMethods(Service service) {
        List<CompletableFuture<String>> own = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            CompletableFuture<String> work = new CompletableFuture<>();
            own.add(work);
            service.future("result" + i, work).thenAccept(value -> blockForGood());
        }
        elsewhere(() -> {
            own.forEach(work -> work.complete("done"));
            return true;
        });
    }

    private void blockMethodsThatHadToWait(LockTemplate locks, Service service) throws Exception {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            // Not for this thread, which could enter again.
            held.add(leaseOf(locks.acquireAsync(patient(locks, "one:method" + i))));
            service.futureOf("method" + i, () -> {
                blockForGood();
                return CompletableFuture.completedFuture("done");
            });
        }
        held.forEach(Lease::releaseAsync);
    }

    private void blockListenersOfElections(LockTemplate locks, List<LeaderElection> elections) {
        for (int i = 0; i < 2; i++) {
            elections.add(election(locks, Duration.ofSeconds(5), new LeaderListener() {
                @Override
                public void onGranted(LeaderTerm term) {
                    blockForGood();
                }
            }));
        }
        LeaderElection revoked = election(locks, Duration.ofSeconds(5), new LeaderListener() {
            @Override
            public void onRevoked(LeaderTerm term) {
                blockForGood();
            }
        });
        await().atMost(MAX_WAIT).until(revoked::isLeader);
        elections.add(revoked);
        locks.forceRelease(revoked.lockName());
    }

    private static LeaderElection election(LockTemplate locks, Duration lease, LeaderListener listener) {
        LeaderElection election = new LeaderElection(locks, "election " + NUMBER.incrementAndGet(), lease);
        election.addListener(listener);
        election.start();
        return election;
    }

    private static Lease leaseOf(CompletableFuture<LockOutcome> attempt) throws Exception {
        return ((LockOutcome.Acquired) finished(attempt)).lease();
    }

    private static LockRequest patient(LockTemplate locks, String name) {
        return locks.request(name).tryLockTime(MAX_WAIT).build();
    }

    // ------------------------------------------------------------------ what must end

    private static Map<String, Callable<?>> calls(ApplicationContext context) {
        LockTemplate locks = context.getBean(LockTemplate.class);
        Service service = context.getBean(Service.class);
        Map<String, Callable<?>> calls = new LinkedHashMap<>();
        for (BlockingCall call : BlockingCall.values()) {
            if (call != BlockingCall.WRITE_LOCK || locks.kinds().contains(LockKind.WRITE)) {
                calls.put(call.name(), () -> finished(made(call, locks)));
            }
        }

        calls.put("attempt of a busy lock", () -> withBusy(locks, busy -> locks.tryAcquire(once(locks, busy))));
        calls.put(
                "acquire of a lock that becomes free",
                () -> withReleased(locks, busy -> locks.acquire(busy).release()));
        calls.put(
                "execute of a lock that becomes free",
                () -> withReleased(locks, busy -> locks.execute(busy, () -> "done")));
        calls.put(
                "acquireAsync of a lock that becomes free",
                () -> withReleased(
                        locks,
                        busy -> finished(locks.acquireAsync(patient(locks, busy))
                                .thenCompose(outcome ->
                                        ((LockOutcome.Acquired) outcome).lease().releaseAsync()))));
        calls.put(
                "acquireAsync, cancelled",
                () -> withBusy(locks, busy -> {
                    CompletableFuture<?> attempt = locks.acquireAsync(patient(locks, busy));
                    return attempt.cancel(true);
                }));
        for (LockKind kind : locks.kinds()) {
            String name = "kind:" + kind;
            LockRequest.Builder request = locks.request(name);
            LockRequest ofKind = (kind == LockKind.PERMIT ? request.permits(2) : request.kind(kind)).build();
            calls.put("execute, " + kind, () -> locks.execute(ofKind, () -> "done"));
        }
        calls.put("LockExecutor.isLocked", () -> finished(locks.executor().isLocked("nobody's")));

        calls.put(
                "MultiLock.tryAcquire, one busy",
                () -> withBusy(locks, busy -> both(locks, busy).tryAcquire()));
        calls.put(
                "MultiLock.attempt, one busy",
                () -> withBusy(locks, busy -> both(locks, busy).attempt()));
        calls.put(
                "MultiLock.tryExecute, one busy",
                () -> withBusy(locks, busy -> both(locks, busy).tryExecute(() -> "done")));
        calls.put(
                "MultiLock.attemptAsync, one busy",
                () -> withBusy(locks, busy -> finished(both(locks, busy).attemptAsync(LockOwner.unique()))));
        calls.put(
                "MultiLock.acquire, one becomes free",
                () -> withReleased(locks, busy -> {
                    MultiLock.of(locks, List.of(patient(locks, busy), patient(locks, busy + ":2")))
                            .acquire()
                            .release();
                    return true;
                }));

        calls.put("method with one lock", () -> service.blocking(next()));
        calls.put(
                "method with one lock that becomes free",
                () -> withReleased(locks, busy -> service.blocking(busy.substring("one:".length()))));
        calls.put("method with several locks", () -> service.several(next(), next()));
        calls.put(
                "method with several locks, one busy",
                () -> withBusy(
                        locks, busy -> catchThrowable(() -> service.several(next(), busy.substring("one:".length())))));
        calls.put("future", () -> finished(service.future(next(), CompletableFuture.completedFuture("done"))));
        calls.put("future that ends elsewhere", () -> {
            CompletableFuture<String> own = new CompletableFuture<>();
            CompletableFuture<String> result = service.future(next(), own);
            elsewhere(() -> own.complete("done"));
            return finished(result);
        });
        calls.put(
                "future of a lock that becomes free",
                () -> withReleased(
                        locks,
                        busy -> finished(service.futureOf(
                                busy.substring("one:".length()), () -> CompletableFuture.completedFuture("done")))));
        calls.put(
                "future of several locks, one busy",
                () -> withBusy(locks, busy -> {
                    CompletableFuture<String> result = service.severalLater(next(), busy.substring("one:".length()));
                    return catchThrowable(() -> finished(result));
                }));
        calls.put("@Async", () -> finished(service.async(next())));
        calls.put("Mono", () -> finished(service.mono(next()).toFuture()));
        calls.put(
                "Mono of a lock that becomes free",
                () -> withReleased(
                        locks,
                        busy -> finished(
                                service.mono(busy.substring("one:".length())).toFuture())));
        calls.put(
                "Flux of several locks",
                () -> finished(service.flux(next(), next()).collectList().toFuture()));

        calls.put("onLost", () -> {
            CompletableFuture<Object> told = new CompletableFuture<>();
            Lease lease = locks.acquire(next());
            lease.onLost(told::complete);
            locks.forceRelease(lease.name());
            return finished(told);
        });
        calls.put(
                "loss that interrupts",
                () -> locks.execute(
                        locks.request("lost:" + next()).onLost(OnLost.INTERRUPT).build(), () -> {
                            LockContext.leases().forEach(lease -> locks.forceRelease(lease.name()));
                            return awaitQuietly(new CountDownLatch(1));
                        }));
        calls.put("event of a loss", () -> {
            String name = "lost:" + next();
            locks.execute(name, () -> {
                locks.forceRelease(name);
                await().atMost(MAX_WAIT).until(() -> service.hasLost(name));
                return true;
            });
            return true;
        });

        calls.put("election", () -> elected(locks, election -> true));
        calls.put("election that is revoked", () -> {
            CompletableFuture<Object> told = new CompletableFuture<>();
            LeaderListener listener = new LeaderListener() {
                @Override
                public void onRevoked(LeaderTerm term) {
                    told.complete(term);
                }
            };
            LeaderElection election = election(locks, LONG_LEASE, listener);
            await().atMost(MAX_WAIT).until(election::isLeader);
            locks.forceRelease(election.lockName());
            finished(told);
            await().atMost(MAX_WAIT).until(election::isLeader);
            election.stop();
            return true;
        });
        calls.put("who leads", () -> elected(locks, election -> catchThrowable(() -> finished(election.leader()))));
        return calls;
    }

    private static Object elected(LockTemplate locks, Body<LeaderElection> body) throws Exception {
        CompletableFuture<Object> told = new CompletableFuture<>();
        LeaderElection election = election(locks, LONG_LEASE, new LeaderListener() {
            @Override
            public void onGranted(LeaderTerm term) {
                told.complete(term);
            }
        });
        await().atMost(MAX_WAIT).until(election::isLeader);
        finished(told);
        body.on(election);
        CountDownLatch stopped = new CountDownLatch(1);
        election.stop(stopped::countDown);
        assertThat(stopped.await(MAX_WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return true;
    }

    /** An election waits for its own listeners, for one lease time. */
    private static Map<String, Callable<?>> stops(ApplicationContext context, List<LeaderElection> elections) {
        Map<String, Callable<?>> stops = new LinkedHashMap<>();
        for (LeaderElection election : elections) {
            stops.put("stop of " + election, () -> {
                election.stop();
                await().atMost(MAX_WAIT)
                        .until(() -> !context.getBean(LockTemplate.class)
                                .lock(election.lockName())
                                .isLocked());
                return true;
            });
        }
        return stops;
    }

    private static Object made(BlockingCall call, LockTemplate locks) throws Exception {
        String name = next();
        CompletableFuture<Lease> first = new CompletableFuture<>();
        CompletableFuture<Lease> second = new CompletableFuture<>();
        if (call.wait.needsLease()) {
            first.complete(locks.acquire(name));
            second.complete(locks.acquire(name + ":besides"));
        }
        return call.make(new BlockingCall.Target(locks, name, first, second));
    }

    private static String next() {
        return "call" + NUMBER.incrementAndGet();
    }

    private static LockRequest once(LockTemplate locks, String name) {
        return locks.request(name).tryLockTime(Duration.ZERO).build();
    }

    private static MultiLock both(LockTemplate locks, String busy) {
        return MultiLock.of(locks, List.of(once(locks, "a free one:" + NUMBER.incrementAndGet()), once(locks, busy)));
    }

    private interface Body<T> {
        Object on(T what) throws Exception;
    }

    private static Object withBusy(LockTemplate locks, Body<String> body) throws Exception {
        String name = "one:" + next();
        CompletableFuture<Lease> held = elsewhere(() -> locks.acquire(name));
        Lease lease = finished(held);
        try {
            return String.valueOf(body.on(name));
        } finally {
            lease.release();
        }
    }

    private static Object withReleased(LockTemplate locks, Body<String> body) throws Exception {
        String name = "one:" + next();
        Lease lease = finished(elsewhere(() -> locks.acquire(name)));
        CompletableFuture<Object> ended = elsewhere(() -> body.on(name));
        lease.release();
        return finished(ended);
    }

    private static <T> T finished(CompletableFuture<T> future) throws Exception {
        return future.get(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static Object finished(Object answer) throws Exception {
        return answer instanceof CompletableFuture<?> later ? finished(later) : String.valueOf(answer);
    }

    private static <T> CompletableFuture<T> elsewhere(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void requireAllEnd(Map<String, Callable<?>> calls) throws InterruptedException {
        Map<String, CompletableFuture<?>> ends = new LinkedHashMap<>();
        calls.forEach((name, call) -> ends.put(name, elsewhere(call)));
        long deadline = System.nanoTime() + 2 * MAX_WAIT.toNanos();
        Map<String, Throwable> failures = new TreeMap<>();
        for (Map.Entry<String, CompletableFuture<?>> each : ends.entrySet()) {
            try {
                each.getValue().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                failures.put(each.getKey(), e);
            }
        }
        assertThat(failures).isEmpty();
    }

    private static boolean awaitQuietly(CountDownLatch latch) {
        try {
            return latch.await(5, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            return true;
        }
    }

    // ------------------------------------------------------------------ callbacks that wait for locks

    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void callbacksThatTrySeveralLocksAllEnd(Place place) {
        place.application().run(context -> {
            LockTemplate locks = context.getBean(LockTemplate.class);
            withBusy(locks, busy -> {
                allEnd(locks, name -> both(locks, busy).tryAcquire());
                return true;
            });
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCAL", "REDIS"})
    void callbacksThatJoinAnotherAttemptAllEnd(Place place) {
        place.application()
                .run(context -> allEnd(
                        context.getBean(LockTemplate.class),
                        name -> ((LockOutcome.Acquired) context.getBean(LockTemplate.class)
                                        .acquireAsync(patient(context.getBean(LockTemplate.class), name + ":other"))
                                        .join())
                                .lease()
                                .releaseAsync()
                                .join()));
    }

    /** Runs the body in very many stages, all of which have begun before one goes on. */
    private static void allEnd(LockTemplate locks, Body<String> body) throws Exception {
        CountDownLatch begun = new CountDownLatch(MANY);
        List<Lease> held = new ArrayList<>();
        List<CompletableFuture<Object>> stages = new ArrayList<>();
        for (String name : IntStream.range(0, MANY).mapToObj(i -> next()).toList()) {
            held.add(locks.acquire(name));
            stages.add(locks.acquireAsync(patient(locks, name)).thenApply(outcome -> {
                begun.countDown();
                awaitQuietly(begun);
                try {
                    return String.valueOf(body.on(name));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        held.forEach(Lease::releaseAsync);
        for (CompletableFuture<Object> stage : stages) {
            finished(stage);
        }
    }

    // ------------------------------------------------------------------ the application

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @Import(Service.class)
    static class Methods {}

    static class Service {

        private final Queue<String> lost = new ConcurrentLinkedQueue<>();

        @EventListener
        public void lost(LockLostEvent event) {
            lost.add(event.lockName());
        }

        public boolean hasLost(String name) {
            return lost.contains(name);
        }

        @DistributionLock(key = "one")
        public String blocking(@DistributionLockParam String id) {
            return id;
        }

        @DistributionLock(key = "one:#{#first}", tryLockTime = 0)
        @DistributionLock(key = "one:#{#second}", tryLockTime = 0)
        public String several(String first, String second) {
            return first + second;
        }

        @DistributionLock(key = "one:#{#first}", tryLockTime = 0)
        @DistributionLock(key = "one:#{#second}", tryLockTime = 0)
        public CompletableFuture<String> severalLater(String first, String second) {
            return CompletableFuture.completedFuture(first + second);
        }

        @DistributionLock(key = "one")
        public CompletableFuture<String> future(@DistributionLockParam String id, CompletableFuture<String> own) {
            return own;
        }

        @DistributionLock(key = "one", tryLockTime = 60_000)
        public CompletableFuture<String> futureOf(
                @DistributionLockParam String id, Callable<CompletableFuture<String>> own) throws Exception {
            return own.call();
        }

        @Async
        @DistributionLock(key = "one")
        public CompletableFuture<String> async(@DistributionLockParam String id) {
            return CompletableFuture.completedFuture(id);
        }

        @DistributionLock(key = "one")
        public Mono<String> mono(@DistributionLockParam String id) {
            return Mono.just(id);
        }

        @DistributionLock(key = "one:#{#first}")
        @DistributionLock(key = "one:#{#second}")
        public Flux<String> flux(String first, String second) {
            return Flux.just(first, second);
        }
    }
}
