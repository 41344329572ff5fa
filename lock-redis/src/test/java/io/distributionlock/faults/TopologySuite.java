package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.MAX_TEST_TIME;
import static io.distributionlock.faults.FaultSuite.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.ActiveNames;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Processes that take locks in one Redis server, or in several that belong together.
 *
 * <p>After each test: exclusion was kept (or, where data was lost on purpose, the order of the fencing numbers), nobody waits any
 * longer, and no key is left.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
abstract class TopologySuite {

    final String name = "locks:" + UUID.randomUUID();

    private final List<Instance> instances = new ArrayList<>();
    private final List<ObservedLease> leases = Collections.synchronizedList(new ArrayList<>());
    private final TestThreads threads = new TestThreads();
    private boolean dataWasLost;

    /** Those that now keep the locks. */
    abstract Stream<RedisProcess> masters();

    /** Called after the instances were ended. */
    abstract void endServers();

    @AfterEach
    final void endEverything() throws Exception {
        try {
            threads.assertNoneWaits();
            List<Turn> turns = Stream.concat(leases.stream().map(ObservedLease::turn), endOthers())
                    .toList();
            assertThat(dataWasLost ? HistoryChecker.fencingViolationsOf(turns) : HistoryChecker.violationsOf(turns))
                    .isEmpty();
            eventually()
                    .untilAsserted(
                            () -> assertThat(instances).allMatch(instance -> ActiveNames.of(instance.executor()) == 0));
            await().atMost(Duration.ofSeconds(45))
                    .untilAsserted(
                            () -> assertThat(keys()).allMatch(key -> key.endsWith(":fence") || key.contains(":gone:")));
            instances.forEach(instance -> instance.executor().stop(Duration.ZERO));
            nothingElseIsLeft();
        } finally {
            threads.interrupt();
            instances.forEach(Instance::close);
            endServers();
        }
    }

    /** Lets other processes end, and tells what they saw. */
    Stream<Turn> endOthers() {
        return Stream.empty();
    }

    /** Called when the instances have stopped, and are connected yet. */
    void nothingElseIsLeft() {}

    final List<String> keys() {
        return masters()
                .flatMap(master -> ((List<?>) Objects.requireNonNull(master.command("KEYS", "*"))).stream())
                .map(String::valueOf)
                .toList();
    }

    /** From here on exclusion is not promised: Redis forgets on purpose what it was told. */
    final void dataWillBeLost() {
        dataWasLost = true;
    }

    final Instance newInstance(LettuceConnectionFactory factory) {
        return newInstance(factory, ReplicaAcks.NONE, Instance.asInstalled());
    }

    final Instance newInstance(LettuceConnectionFactory factory, ReplicaAcks acks, Duration commandTimeout) {
        return newInstance(factory, acks, Instance.asInstalled().withCommandTimeout(commandTimeout));
    }

    /** @param connections are ended with the instance */
    final <F extends RedisConnectionFactory & DisposableBean> Instance newInstance(
            F connections, ReplicaAcks acks, EngineSettings settings) {
        Instance instance = new Instance(connections, acks, settings);
        instances.add(instance);
        return instance;
    }

    // --- requests ---

    /** Renewed; waits for as long as a test may take. */
    final LockRequest renewed(Duration lease) {
        return FaultSuite.renewed(name, lease);
    }

    final LockRequest fair() {
        return renewed(FaultSuite.LONG_LEASE).toBuilder().kind(LockKind.FAIR).build();
    }

    final LockRequest waiting(Duration wait) {
        return LockRequest.named(name)
                .tryLockTime(wait)
                .renewedLease(Duration.ofSeconds(30))
                .build();
    }

    // --- what threads do ---

    /** Takes the lock, or fails the test. */
    final ObservedLease acquire(Instance instance, LockRequest request) {
        long calledAt = System.nanoTime();
        LockOutcome outcome = instance.locks().attempt(request);
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return observe(outcome, calledAt);
    }

    final ObservedLease observe(LockOutcome outcome, long calledAt) {
        ObservedLease lease = new ObservedLease(
                ((LockOutcome.Acquired) outcome).lease(),
                Thread.currentThread().getName().replace(' ', '_'),
                calledAt);
        leases.add(lease);
        return lease;
    }

    /**
     * Starts a thread that takes the lock; the test goes on when it waits in the queue of Redis, and has heard so unless replicas
     * are asked.
     */
    final CompletableFuture<ObservedLease> startWaiting(Instance instance, LockRequest request, RedisProcess master) {
        String queue = ownerKey(request.name()) + ":queue";
        CompletableFuture<ObservedLease> waiter = start(() -> acquire(instance, request));
        eventually().until(() -> Objects.equals(master.command("EXISTS", queue), 1L));
        instance.awaitAnswers(request.name());
        return waiter;
    }

    /** Starts so many attempts, each with a claim of its own; returns when all of them wait in the queue of Redis. */
    final List<CompletableFuture<LockOutcome>> startFairAttempts(Instance instance, int count, RedisProcess master) {
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            attempts.add(instance.executor().acquire(fair(), LockOwner.unique()));
        }
        awaitQueue(count, master);
        return attempts;
    }

    final void awaitQueue(long claims, RedisProcess master) {
        eventually().until(() -> Objects.equals(master.command("ZCARD", ownerKey(name) + ":queue"), claims));
    }

    final <T> CompletableFuture<T> start(Callable<T> work) {
        return threads.start(work);
    }

    final String ownerKey(String lock) {
        return "distribution-lock:{" + lock + "}";
    }

    /** Returns when a lease was lengthened at least once after this call. */
    final void awaitRenewal(ObservedLease lease) {
        Duration before = lease.lease().remaining();
        long start = System.nanoTime();
        await().atMost(MAX_TEST_TIME).pollInterval(Duration.ofMillis(20)).until(() -> {
            assertThat(lease.isValid()).as("the lease is valid yet").isTrue();
            Duration unrenewed = before.minusNanos(System.nanoTime() - start);
            return lease.lease().remaining().minus(unrenewed).toMillis() > 200;
        });
    }

    /** Returns when as many processes are subscribed to their wake channel here as there are instances. */
    final void awaitSubscriptions(RedisProcess master) {
        eventually()
                .untilAsserted(
                        () -> assertThat((List<?>) master.command("PUBSUB", "CHANNELS", "distribution-lock:wake:*"))
                                .hasSameSizeAs(instances));
    }
}
