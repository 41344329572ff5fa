package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A Redis of its own for each test, and processes that take locks in it: {@link #here} and {@link #there} have everything of
 * their own but the virtual machine; {@link #newRemote()} starts one that can be killed and stopped.
 *
 * <p>After each test, whatever it did: exclusion was kept, nobody waits any longer, and no key, subscription or thread is left.
 */
abstract class FaultSuite extends TopologySuite {

    /** For what happens at once or within the protocol's few seconds, and may be late only because the machine is loaded. */
    static final Duration SOON = Duration.ofSeconds(15);

    static final Duration MAX_TEST_TIME = Duration.ofSeconds(120);

    /** How long a command may stay unanswered (distribution-lock.redis.command-timeout), as it is unless configured. */
    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    /** A lease that ends after the test: whoever gets its lock did not get it because the lease ran out. */
    static final Duration LONG_LEASE = Duration.ofSeconds(150);

    private static final String THREADS = "distribution-lock";

    private final List<RemoteInstance> remotes = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();

    RedisProcess redis;
    Instance here;
    Instance there;

    @BeforeEach
    void startRedisAndTwoInstances() {
        redis = newRedis();
        here = newInstance(redis.port());
        there = newInstance(redis.port());
    }

    RedisProcess newRedis() {
        return RedisProcess.start();
    }

    @Override
    final Stream<RedisProcess> masters() {
        return redis.isRunning() ? Stream.of(redis) : Stream.empty();
    }

    @Override
    final Stream<Turn> endOthers() {
        remotes.stream()
                .filter(RemoteInstance::isAlive)
                .forEach(remote ->
                        assertThat(remote.stop()).as("names of another process").isZero());
        return remotes.stream().flatMap(remote -> remote.turns().stream());
    }

    @Override
    final void nothingElseIsLeft() {
        remotes.forEach(RemoteInstance::close);
        masters()
                .forEach(server -> eventually()
                        .untilAsserted(() ->
                                assertThat(server.command("PUBSUB", "CHANNELS")).isEqualTo(List.of())));
    }

    @Override
    final void endServers() {
        remotes.forEach(RemoteInstance::close);
        proxies.forEach(TcpProxy::close);
        redis.close();
    }

    /** All but the thread that runs listeners, which ends by itself when it was idle for 10 s: {@link StopIT} waits for that. */
    @AfterAll
    static void noThreadIsLeft() {
        eventually()
                .untilAsserted(() -> assertThat(threadsOfTheLibrary())
                        .allMatch(thread -> thread.startsWith("distribution-lock-callbacks ")));
    }

    /** Each with what it does, so that a failure says why it has not ended. */
    static List<String> threadsOfTheLibrary() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith(THREADS))
                .map(thread -> thread.getKey().getName() + " at " + Arrays.toString(thread.getValue()))
                .toList();
    }

    /** Of {@link #here}, {@link #there} and whoever is given no other settings; each has a name of its own. */
    EngineSettings settings() {
        return Instance.asInstalled();
    }

    /** @param heartbeat how often a process that waits asks again */
    static EngineSettings settings(Duration heartbeat, Duration grantLease) {
        EngineSettings installed = Instance.asInstalled();
        return new EngineSettings(
                installed.instance(),
                installed.commandTimeout(),
                grantLease,
                heartbeat,
                installed.handoverMaxCount(),
                installed.handoverMaxTime());
    }

    final Instance newInstance(int port) {
        return newInstance(port, settings());
    }

    final Instance newInstance(int port, EngineSettings settings) {
        return newInstance(RedisConnections.to(port), settings);
    }

    /** @param connections are ended with the instance */
    final <F extends RedisConnectionFactory & DisposableBean> Instance newInstance(
            F connections, EngineSettings settings) {
        return newInstance(connections, ReplicaAcks.NONE, settings);
    }

    final List<CompletableFuture<LockOutcome>> startAttempts(Instance instance, LockRequest request, int count) {
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(startAttempt(instance, request));
        }
        return attempts;
    }

    /** Nobody's thread waits for it, and its owner is new. */
    static CompletableFuture<LockOutcome> startAttempt(Instance instance, LockRequest request) {
        return instance.executor().acquire(request, LockOwner.unique());
    }

    final RemoteInstance newRemote() {
        return newRemote(redis.port());
    }

    final RemoteInstance newRemote(int port) {
        RemoteInstance remote = new RemoteInstance(port);
        remotes.add(remote);
        return remote;
    }

    final TcpProxy newProxy() {
        TcpProxy proxy = new TcpProxy(redis.port());
        proxies.add(proxy);
        return proxy;
    }

    // --- requests ---

    final LockRequest once() {
        return LockRequest.named(name).tryLockTime(Duration.ZERO).build();
    }

    static LockRequest renewed(String name, Duration lease) {
        return LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .renewedLease(lease)
                .build();
    }

    /** A claim of its own, whoever else of its process waits. */
    final LockRequest single(LockKind kind, Duration lease) {
        return renewed(lease).toBuilder().kind(kind).build();
    }

    /** Not renewed; waits for as long as a test may take. */
    final LockRequest fixed(Duration lease) {
        return fixed(name, lease);
    }

    static LockRequest fixed(String name, Duration lease) {
        return LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .holdLockTime(lease)
                .build();
    }

    // --- what threads do ---

    /**
     * Starts a thread that takes the lock; the test goes on when it waits in the queue of Redis, and has heard so. If the holder
     * has lost the lock by then, the thread may have it already.
     */
    final CompletableFuture<ObservedLease> startWaiting(Instance instance, LockRequest request) {
        long before = queueLength(request.name());
        CompletableFuture<ObservedLease> waiter = start(() -> acquire(instance, request));
        eventually().until(() -> queueLength(request.name()) > before || waiter.isDone());
        instance.awaitAnswers(request.name());
        return waiter;
    }

    static <T> T get(CompletableFuture<T> future) throws Exception {
        return get(future, MAX_TEST_TIME);
    }

    static <T> T get(CompletableFuture<T> future, Duration longest) throws Exception {
        try {
            return future.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("A thread of the test failed", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("A thread of the test waits yet after " + longest, e);
        }
    }

    /** Returns when a thread of the test has come to a certain point; fails as it fails. */
    static void awaitPoint(CountDownLatch point, CompletableFuture<?> thread) throws Exception {
        await().atMost(MAX_TEST_TIME)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> point.getCount() == 0 || thread.isDone());
        if (point.getCount() > 0) {
            get(thread);
            throw new AssertionError("The thread ended before it came to the point");
        }
    }

    // --- what Redis knows ---

    /** What the owner key says, without the end of a guarded lease. */
    final String owner() {
        return String.valueOf(redis.command("GET", ownerKey(name))).replaceFirst(" \\d+$", "");
    }

    final long queueLength(String lock) {
        return (Long) redis.command("ZCARD", ownerKey(lock) + ":queue");
    }

    /** Returns when so many processes listen for messages. */
    final void awaitSubscriptions(int count) {
        eventually()
                .untilAsserted(() -> assertThat((List<?>) redis.command("PUBSUB", "CHANNELS"))
                        .hasSize(count));
    }

    /** Nobody gets the lock, not even by waiting a moment, and the lease is still valid. */
    final void assertStillHeld(ObservedLease lease, Instance elsewhere) {
        LockRequest request =
                LockRequest.named(name).tryLockTime(Duration.ofMillis(300)).build();
        assertThat(answeredAttempt(elsewhere, request)).isInstanceOf(LockOutcome.Busy.class);
        assertThat(lease.isValid()).isTrue();
    }

    /** Where a machine stands still for a moment, an attempt hears nothing in time, which says nothing of the lock: it asks again. */
    static LockOutcome answeredAttempt(Instance instance, LockRequest request) {
        long start = System.nanoTime();
        LockOutcome outcome = instance.locks().attempt(request);
        while (outcome instanceof LockOutcome.BackendFailed && since(start).compareTo(SOON) < 0) {
            outcome = instance.locks().attempt(request);
        }
        return outcome;
    }

    /** So that Redis refuses to write, and only that: as a master that has become a replica. */
    final void refuseWrites() {
        redis.command("REPLICAOF", "127.0.0.1", "1");
    }

    final void takeWrites() {
        redis.command("REPLICAOF", "NO", "ONE");
    }

    static ConditionFactory eventually() {
        return await().atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20));
    }

    /** Returns when so much time has passed since then. */
    static void awaitTime(Duration time, long sinceNanos) {
        await().atMost(MAX_TEST_TIME)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> System.nanoTime() - sinceNanos >= time.toNanos());
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
