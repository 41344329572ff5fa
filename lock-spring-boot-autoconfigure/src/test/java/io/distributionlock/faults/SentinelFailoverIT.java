package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.LONG_LEASE;
import static io.distributionlock.faults.FaultSuite.SOON;
import static io.distributionlock.faults.FaultSuite.eventually;
import static io.distributionlock.faults.FaultSuite.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;

/** The master dies or steps down, and Sentinels let a replica take over. */
@Tag("server")
class SentinelFailoverIT extends TopologySuite {

    private final ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 1);
    private final RedisSentinels sentinels = RedisSentinels.start(RedisBinary.GIVEN, redis);
    private RedisProcess master = redis.master();

    @Override
    Stream<RedisProcess> masters() {
        return Stream.of(master);
    }

    @Override
    void endServers() {
        sentinels.close();
        redis.close();
    }

    private Instance newInstance() {
        return newInstance(RedisConnections.to(sentinels));
    }

    private void killMaster() {
        RedisProcess killed = master;
        killed.kill();
        master = sentinels.awaitMasterOtherThan(killed);
    }

    @Test
    void whatTheReplicaKnewIsHeldOnAndWaitedForOn() throws Exception {
        Instance here = newInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(24)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), master);
        redis.awaitReplicated();

        killMaster();

        // Renewals are due each eight seconds, and find their way to the new master.
        awaitRenewal(held);
        assertThat(held.lease().confirm()).isTrue();
        assertThat(waiter).isNotDone();
        awaitSubscriptions(master);
        there.awaitLocks();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = get(waiter, SOON);
        assertThat(next.token()).isGreaterThan(held.token());
        // It was told by a message, not by its heartbeat alone.
        assertThat(master.calls("publish")).isPositive();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aMasterThatStepsDownCostsNoLockThatTheReplicaKnew() throws Exception {
        Instance here = newInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(24)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), master);
        redis.awaitReplicated();

        RedisProcess previous = master;
        sentinels.failOver();
        master = sentinels.awaitMasterOtherThan(previous);

        awaitSubscriptions(master);
        here.awaitLocks();
        there.awaitLocks();
        assertThat(held.lease().confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(here, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** What a fail-over can cost: the lock passes on although its holder is at work. The library notices, and fencing tells. */
    @Tag("long")
    @Test
    void whatTheReplicaDidNotKnowIsLostAndTheHolderIsToldAndTheNextHasAGreaterNumber() throws Exception {
        Instance here = newInstance();
        Instance there = newInstance();
        AtomicInteger told = new AtomicInteger();
        redis.detach(redis.replicas().get(0));
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        held.lease().onLost(lost -> {
            assertThat(lost.isValid()).isFalse();
            told.incrementAndGet();
        });
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE), master);

        dataWillBeLost();
        killMaster();

        // No renewal is due for a long time: the lease is checked because the connection is a new one.
        ObservedLease next = get(waiter, SOON);
        assertThat(next.token()).isGreaterThan(held.token());
        eventually().untilAsserted(() -> assertThat(told).hasValue(1));
        assertThat(held.isValid()).isFalse();
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(next.isValid()).isTrue();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void whoIsGivenTheLockAfterALateTokenOfAPausedMasterWasKnownHasAGreaterOne() throws Exception {
        Instance here = newInstance();
        redis.detach(redis.replicas().get(0));
        Lease lease = here.locks().acquire(renewed(LONG_LEASE));
        dataWillBeLost();
        RedisProcess paused = master;
        paused.pause();
        CompletableFuture<Long> late = lease.fencingTokenAsync();
        master = sentinels.awaitMasterOtherThan(paused);
        Instance there = newInstance();
        ObservedLease successor = acquire(there, renewed(LONG_LEASE));
        long second = successor.token();

        paused.resume();
        // It may come late, or not at all.
        long first = get(late.handle((token, failure) -> token == null ? 0L : token), SOON);
        assertThat(successor.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = acquire(there, renewed(LONG_LEASE));
        assertThat(next.token()).isGreaterThan(Math.max(first, second));
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        lease.release();
    }

    /** Finding T1: each of these claims would have the lock for 3 s. */
    @Tag("long")
    @Test
    void claimsThatWereWithdrawnBehindTheReplicasBackHoldUpNobody() throws Exception {
        int withdrawn = 10;
        Instance here = newInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        List<CompletableFuture<LockOutcome>> attempts = startFairAttempts(here, withdrawn, master);
        redis.awaitReplicated();
        redis.detach(redis.replicas().get(0));
        attempts.forEach(attempt -> assertThat(attempt.cancel(true)).isTrue());
        awaitQueue(0, master);
        CompletableFuture<ObservedLease> waiter = startWaiting(here, fair(), master);

        dataWillBeLost();
        killMaster();

        awaitSubscriptions(master);
        awaitQueue(withdrawn + 1L, master);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aLockThatWasReleasedBehindTheReplicasBackIsGivenBackSoonAfterSomebodyWaitsForIt() throws Exception {
        Instance here = newInstance();
        Instance there = newInstance();
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        redis.awaitReplicated();
        redis.detach(redis.replicas().get(0));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        dataWillBeLost();
        killMaster();
        awaitSubscriptions(master);
        here.awaitLocks();
        there.awaitLocks();
        assertThat(master.command("EXISTS", ownerKey(name))).isEqualTo(1L);
        assertThat(get(start(() -> acquire(there, renewed(LONG_LEASE))), SOON).release())
                .isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void anApplicationThatIsConfiguredForSentinelsKeepsItsLockToo() {
        String nodes =
                sentinels.ports().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        LockContextRunner.plain()
                .withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()))
                .withPropertyValues(
                        "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER,
                        "spring.data.redis.sentinel.nodes=" + nodes)
                .run(context -> {
                    LockTemplate locks = context.getBean(LockTemplate.class);
                    try (Lease lease = locks.acquire(name)) {
                        redis.awaitReplicated();
                        killMaster();
                        eventually().until(lease::confirm);
                        assertThat(master.command("EXISTS", ownerKey(name))).isEqualTo(1L);
                    }
                    eventually().until(() -> Objects.equals(master.command("EXISTS", ownerKey(name)), 0L));
                    locks.execute(
                            name,
                            () -> assertThat(master.command("EXISTS", ownerKey(name)))
                                    .isEqualTo(1L));
                });
    }
}
