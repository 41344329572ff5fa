package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.LONG_LEASE;
import static io.distributionlock.faults.FaultSuite.SOON;
import static io.distributionlock.faults.FaultSuite.eventually;
import static io.distributionlock.faults.FaultSuite.get;
import static io.distributionlock.faults.FaultSuite.since;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.engine.ActiveNames;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ReplicatedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock counts only when two replicas have it ({@code distribution-lock.redis.min-replicas-to-ack}). */
@Tag("server")
class ReplicaAcknowledgementIT extends TopologySuite {

    /** Longer than a machine may stand still: a replica that lives has the time to say so. */
    private static final ReplicaAcks BOTH = new ReplicaAcks(2, Duration.ofSeconds(3));

    /** For what is to happen before the time of the replicas is over. */
    private static final ReplicaAcks BOTH_LATE = new ReplicaAcks(2, Duration.ofSeconds(8));

    /** Longer than three of the times above: no attempt gives up before it is told why. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(25);

    private final ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 2);
    private final RedisProcess master = redis.master();
    private Instance here;
    private Instance there;

    @BeforeEach
    void startTwoInstances() {
        here = newInstance(BOTH);
        there = newInstance(BOTH);
    }

    private Instance newInstance(ReplicaAcks acks) {
        return newInstance(RedisConnections.to(master.port()), acks, COMMAND_TIMEOUT);
    }

    @Override
    Stream<RedisProcess> masters() {
        return Stream.of(master);
    }

    @Override
    void endServers() {
        redis.close();
    }

    private boolean isOn(RedisProcess server, String lock) {
        return Objects.equals(server.command("EXISTS", ownerKey(lock)), 1L);
    }

    private void pauseOneReplica() {
        redis.replicas().get(1).pause();
    }

    private void resumeIt() {
        redis.replicas().get(1).resume();
        eventually()
                .until(() -> redis.replicas()
                        .get(1)
                        .info("replication", "master_link_status")
                        .equals("up"));
        redis.awaitReplicated();
    }

    @Test
    void whoHasTheLockHasItOnBothReplicas() {
        for (int i = 0; i < 50; i++) {
            ObservedLease held = acquire(here, FaultSuite.renewed(name + i, LONG_LEASE));
            for (RedisProcess replica : redis.replicas()) {
                assertThat(isOn(replica, name + i)).isTrue();
            }
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Test
    void withoutAReplicaTheAttemptFailsSoonAndNothingStaysLocked() {
        pauseOneReplica();
        long start = System.nanoTime();
        LockOutcome outcome = here.locks().attempt(renewed(LONG_LEASE));
        assertThat(outcome).isInstanceOfSatisfying(LockOutcome.NotReplicated.class, failed -> {
            assertThat(failed.reason()).isEqualTo(LockFailureReason.NOT_REPLICATED);
            assertThat(failed.cause()).hasMessageContaining("1 of 2 replicas");
        });
        assertThat(since(start)).isBetween(BOTH.timeout(), BOTH.timeout().plus(SOON));
        eventually().until(() -> !isOn(master, name));

        resumeIt();
        assertThat(acquire(there, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void manyAttemptsWithoutAReplicaFailTogetherAndNotOneAfterTheOther() throws Exception {
        pauseOneReplica();
        long start = System.nanoTime();
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            LockRequest request = FaultSuite.renewed(name + i, LONG_LEASE);
            attempts.add(start(() -> here.locks().attempt(request)));
        }
        for (CompletableFuture<LockOutcome> attempt : attempts) {
            assertThat(get(attempt)).isInstanceOf(LockOutcome.NotReplicated.class);
        }
        // One after the other, they would take three minutes.
        assertThat(since(start)).isLessThan(BOTH.timeout().multipliedBy(3).plus(SOON));
        eventually().until(() -> Stream.iterate(0, i -> i + 1).limit(60).noneMatch(i -> isOn(master, name + i)));
        resumeIt();
    }

    @Tag("long")
    @Test
    void manyLocksAreAcknowledgedByFewWaits() throws Exception {
        Instance patient = newInstance(BOTH_LATE);
        assertThat(acquire(patient, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
        pauseOneReplica();
        master.resetCalls();
        List<CompletableFuture<ObservedLease>> attempts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            LockRequest request = FaultSuite.renewed(name + i, LONG_LEASE);
            attempts.add(start(() -> acquire(patient, request)));
        }
        // While the first WAIT holds up the connection, the other commands gather behind it.
        eventually().until(() -> ActiveNames.of(patient.executor()) == 60);
        redis.replicas().get(1).resume();
        for (CompletableFuture<ObservedLease> attempt : attempts) {
            assertThat(get(attempt).release()).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(master.calls("wait")).isBetween(1L, 20L);
    }

    @Tag("long")
    @Test
    void aLockThatWasHandedOverIsOnBothReplicasBeforeItIsUsed() throws Exception {
        for (int i = 0; i < 10; i++) {
            ObservedLease held = acquire(here, FaultSuite.renewed(name + i, LONG_LEASE));
            CompletableFuture<ObservedLease> waiter =
                    startWaiting(there, FaultSuite.renewed(name + i, LONG_LEASE), master);
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
            ObservedLease next = get(waiter, SOON);
            String owner = String.valueOf(master.command("GET", ownerKey(name + i)));
            for (RedisProcess replica : redis.replicas()) {
                assertThat(replica.command("GET", ownerKey(name + i))).isEqualTo(owner);
            }
            assertThat(next.token()).isGreaterThan(held.token());
            assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }

    @Tag("long")
    @Test
    void aLockThatIsHandedOverWithoutAReplicaIsNotUsedAndGivenBack() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<LockOutcome> waiter = start(() -> there.locks().attempt(renewed(LONG_LEASE)));
        eventually().until(() -> Objects.equals(master.command("EXISTS", ownerKey(name) + ":queue"), 1L));
        pauseOneReplica();
        // Giving back needs no replica.
        long start = System.nanoTime();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(since(start)).isLessThan(BOTH.timeout());

        assertThat(get(waiter, SOON)).isInstanceOf(LockOutcome.NotReplicated.class);
        eventually().until(() -> !isOn(master, name));
        resumeIt();
    }

    @Test
    void aRenewalWithoutAReplicaProlongsNothingAndTheLeaseIsLostWhenItIsOver() {
        AtomicInteger told = new AtomicInteger();
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(6)));
        awaitRenewal(held);
        held.lease().onLost(lost -> told.incrementAndGet());
        pauseOneReplica();
        long start = System.nanoTime();

        eventually().untilAsserted(() -> assertThat(told).hasValue(1));
        assertThat(since(start)).isBetween(Duration.ofSeconds(3), SOON);
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        eventually().until(() -> !isOn(master, name));
        resumeIt();
    }

    @Tag("long")
    @Test
    void aConnectionThatBreaksBeforeTheReplicasHaveAnsweredProvesNothing() throws Exception {
        Instance patient = newInstance(BOTH_LATE);
        pauseOneReplica();
        CompletableFuture<LockOutcome> attempt = start(() -> patient.locks().attempt(waiting(Duration.ofSeconds(20))));
        eventually().until(() -> isOn(master, name));
        // Lettuce sends the WAIT again, over a connection that has written nothing.
        master.command("CLIENT", "KILL", "TYPE", "normal");

        assertThat(get(attempt)).isInstanceOf(LockOutcome.NotAcquired.class).isNotInstanceOf(LockOutcome.Busy.class);
        eventually().until(() -> !isOn(master, name));
        resumeIt();
    }
}
