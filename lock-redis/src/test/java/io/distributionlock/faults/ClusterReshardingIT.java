package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.LONG_LEASE;
import static io.distributionlock.faults.FaultSuite.SOON;
import static io.distributionlock.faults.FaultSuite.awaitTime;
import static io.distributionlock.faults.FaultSuite.eventually;
import static io.distributionlock.faults.FaultSuite.get;
import static io.distributionlock.faults.FaultSuite.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.ActiveNames;
import io.distributionlock.redis.RedisAcl;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A slot of a Cluster moves to another node. Until it has arrived, commands with several keys, as those of the locks are, are
 * answered by TRYAGAIN.
 */
@Tag("server")
@Tag("long")
class ClusterReshardingIT extends TopologySuite {

    /** Longer than a command may stay unanswered, and than one call is repeated for. */
    private static final Duration LONG_MOVE = FaultSuite.COMMAND_TIMEOUT.plusMillis(1_500);

    /** For how long a question is repeated that the node cannot answer yet. */
    private static final Duration PATIENCE = Duration.ofMillis(1_500);

    /** A release is repeated at growing distances: there is to be a repetition after a move that took long. */
    private static final Duration LONG_TIMEOUT = Duration.ofSeconds(10);

    /** Those of a Cluster before Redis 7. */
    private static final String RIGHTS = RedisAcl.rule("distribution-lock") + " +cluster|nodes +cluster|myid +info";

    private static final RedisCluster cluster = RedisCluster.start(RedisBinary.GIVEN, 3);

    private final int slot = cluster.slotOf(ownerKey(name));

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @Override
    Stream<RedisProcess> masters() {
        return cluster.masters().stream();
    }

    @Override
    void endServers() {
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    private Instance newInstance() {
        return newInstance(RedisConnections.to(cluster));
    }

    /** Its releases may stay unanswered for longer than as installed. */
    private Instance newPatientInstance() {
        return newInstance(RedisConnections.to(cluster), ReplicaAcks.NONE, LONG_TIMEOUT);
    }

    private RedisCluster.Move beginMove() {
        RedisProcess source = cluster.ownerOf(slot);
        RedisProcess target = cluster.masters().stream()
                .filter(master -> master != source)
                .findFirst()
                .orElseThrow();
        return cluster.beginMove(slot, target);
    }

    @Test
    void aLockThatIsHeldAndWaitedForMovesWithItsSlot() throws Exception {
        Instance here = newInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(18)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), cluster.ownerOf(slot));

        RedisCluster.Move move = beginMove();
        long start = System.nanoTime();
        assertThat(move.moveKeys()).isGreaterThanOrEqualTo(2);
        // At least one renewal and several heartbeats are refused meanwhile.
        awaitTime(Duration.ofSeconds(7), start);
        assertThat(held.isValid()).isTrue();
        assertThat(waiter).isNotDone();
        move.finish();

        awaitRenewal(held);
        assertThat(cluster.ownerOf(slot).command("EXISTS", ownerKey(name))).isEqualTo(1L);
        assertThat(held.lease().confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whoAsksWhileTheSlotMovesGetsTheLockWhenItHasArrived() throws Exception {
        Instance here = newInstance();
        RedisCluster.Move move = beginMove();
        CompletableFuture<ObservedLease> waiter = start(() -> acquire(here, fenced(waiting(Duration.ofSeconds(60)))));
        awaitTime(LONG_MOVE, System.nanoTime());
        assertThat(waiter).isNotDone();
        move.finish();
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** The commands of a lock that nobody contends have one key: they run where it is. */
    @Test
    void anUncontendedLockIsAcquiredConfirmedAndReleasedWhileTheSlotMoves() {
        Instance here = newInstance();
        Lease held = acquireUncontended(here);
        RedisCluster.Move move = beginMove();
        move.moveKeys();
        assertThat(held.confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease again = here.locks().acquire(renewed(LONG_LEASE));
        move.finish();
        assertThat(again.confirm()).isTrue();
        assertThat(again.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** A key that has moved already is asked for by ASKING, as docs/operations.md says. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLockThatHasMovedIsConfirmedOnlyToAUserWhoMayAsk(boolean mayAsk) {
        cluster.setUser("mover", "secret", RIGHTS + (mayAsk ? " +asking" : ""));
        Instance here = newInstance(RedisConnections.to(cluster, "mover", "secret"));
        Lease held = acquireUncontended(here);
        RedisCluster.Move move = beginMove();
        move.moveKeys();
        assertThat(held.confirm()).isEqualTo(mayAsk);
        move.finish();
        assertThat(held.confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** For ten seconds after a slow acquire, as on a busy machine, all are scripts, which number the lock at once. */
    private Lease acquireUncontended(Instance here) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            Lease lease = here.locks().acquire(renewed(LONG_LEASE));
                            if (lease.knownFencingToken().isEmpty()) {
                                return lease;
                            }
                            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
                            return null;
                        },
                        Objects::nonNull);
    }

    private static LockRequest fenced(LockRequest request) {
        return request.toBuilder().fenced().build();
    }

    @Test
    void aLockThatIsReleasedWhileItsSlotMovesIsHandedOverWhenItHasArrived() throws Exception {
        Instance here = newPatientInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), cluster.ownerOf(slot));
        RedisCluster.Move move = beginMove();
        move.moveKeys();
        CompletableFuture<ReleaseResult> released = start(held::release);
        awaitTime(Duration.ofMillis(300), System.nanoTime());
        assertThat(waiter).isNotDone();
        move.finish();
        assertThat(get(released, SOON)).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** Finding T1. Nothing is lost by a move, so that nothing is left of a claim when its release has been answered. */
    @Test
    void claimsThatAreWithdrawnWhileTheSlotMovesHoldUpNobodyWhenItHasArrived() throws Exception {
        Instance here = newPatientInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        List<CompletableFuture<LockOutcome>> attempts = startFairAttempts(here, 10, cluster.ownerOf(slot));
        CompletableFuture<ObservedLease> waiter = start(() -> acquire(here, fair()));
        awaitQueue(11, cluster.ownerOf(slot));
        RedisCluster.Move move = beginMove();
        move.moveKeys();
        attempts.forEach(attempt -> assertThat(attempt.cancel(true)).isTrue());
        awaitTime(Duration.ofMillis(300), System.nanoTime());
        move.finish();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aQuestionWhetherTheLockIsStillHeldIsRepeatedUntilTheSlotHasArrived() throws Exception {
        Instance here = newInstance();
        ObservedLease held = acquire(
                here, renewed(LONG_LEASE).toBuilder().kind(LockKind.READ).build());
        boolean waited;
        boolean confirmed;
        long start;
        // Once more if the machine stood still: it asks for so long only.
        do {
            RedisCluster.Move move = beginMove();
            move.moveKeys();
            start = System.nanoTime();
            CompletableFuture<Boolean> answer = start(() -> held.lease().confirm());
            awaitTime(Duration.ofMillis(300), start);
            waited = !answer.isDone();
            move.finish();
            confirmed = get(answer, SOON);
        } while (since(start).compareTo(PATIENCE) >= 0);
        assertThat(waited).isTrue();
        assertThat(confirmed).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whoseTimeIsOverBeforeTheSlotHasArrivedIsNotToldThatTheLockIsBusy() {
        Instance here = newInstance();
        RedisCluster.Move move = beginMove();
        long start = System.nanoTime();
        // Longer than the first command may stay unanswered: the outcome says what was answered.
        Duration wait = FaultSuite.COMMAND_TIMEOUT.plusMillis(500);
        LockOutcome outcome = here.locks().attempt(fenced(waiting(wait)));
        assertThat(since(start)).isBetween(wait, SOON);
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LockOutcome.BackendFailed.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining("TRYAGAIN"));
        move.finish();
        eventually().until(() -> ActiveNames.of(here.executor()) == 0);
        assertThat(acquire(here, waiting(SOON)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aLockIsHandedOverBetweenProcessesThatListenAtDifferentNodes() throws Exception {
        Instance first = newInstance();
        Instance second = newInstance();
        // The client, or the channel's name, chooses the node; another process soon listens at another one.
        for (int i = 0; i < 20 && cluster.nodesListenedAt() < 2; i++) {
            second = newInstance();
        }
        assertThat(cluster.nodesListenedAt()).isGreaterThanOrEqualTo(2);
        for (int i = 0; i < 6; i++) {
            LockRequest request = FaultSuite.renewed(name + i, LONG_LEASE);
            RedisProcess node = cluster.ownerOf(cluster.slotOf(ownerKey(request.name())));
            ObservedLease held = acquire(first, request);
            CompletableFuture<ObservedLease> waiter = startWaiting(second, request, node);
            long before = messages();
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
            // Besides, a waiting process may have checked that messages arrive.
            assertThat(messages()).isGreaterThan(before);
        }
    }

    /** No heartbeat is due: only the message tells the waiter. */
    @Test
    void aLockIsHandedOverBetweenProcessesWhoseNamesHaveColons() throws Exception {
        EngineSettings settings = FaultSuite.settings(Duration.ofMinutes(1), Duration.ofMinutes(2));
        Instance first = newInstance(RedisConnections.to(cluster), ReplicaAcks.NONE, settings.withInstance("host:1:a"));
        Instance second =
                newInstance(RedisConnections.to(cluster), ReplicaAcks.NONE, settings.withInstance("host:1:b"));
        RedisProcess node = cluster.ownerOf(slot);
        ObservedLease held = acquire(first, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(second, renewed(LONG_LEASE), node);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    private static long messages() {
        return cluster.calls("publish") + cluster.calls("spublish");
    }
}
