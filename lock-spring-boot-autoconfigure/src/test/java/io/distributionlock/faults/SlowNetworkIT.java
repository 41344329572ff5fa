package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisMonitor;
import io.distributionlock.testing.TcpProxy;
import io.distributionlock.testing.TcpProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The network between the processes and Redis is slow, or swallows what it is given and gives it back later. */
@Tag("long")
class SlowNetworkIT extends FaultSuite {

    private static final Duration EACH_WAY = Duration.ofMillis(50);

    @Test
    void twoProcessesTakeTurnsOverASlowNetwork() throws Exception {
        int threads = 3;
        int each = 5;
        TcpProxy mine = newProxy();
        TcpProxy others = newProxy();
        mine.latency(EACH_WAY);
        others.latency(EACH_WAY);
        Instance slow = newInstance(mine.port());
        RemoteInstance remote = newRemote(others.port());
        remote.startTurns("remote", renewed(Duration.ofSeconds(10)), threads, each);
        List<CompletableFuture<Integer>> turns = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            turns.add(start(() -> {
                for (int turn = 0; turn < each; turn++) {
                    ObservedLease lease = acquire(slow, renewed(Duration.ofSeconds(10)));
                    assertThat(lease.isValid()).isTrue();
                    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
                }
                return each;
            }));
        }
        for (CompletableFuture<Integer> turn : turns) {
            get(turn);
        }
        remote.awaitTurns("remote", threads * each);
        assertThat(remote.turns()).extracting(Turn::released).containsOnly(ReleaseResult.RELEASED);
    }

    @Test
    void aHolderInABlackHoleLosesByItsOwnClockBeforeAnotherGetsTheLock() throws Exception {
        TcpProxy network = newProxy();
        RemoteInstance remote = newRemote(network.port());
        remote.acquire("cutOff", renewed(Duration.ofSeconds(2)));
        CompletableFuture<ObservedLease> waiter = startWaiting(here, renewed(LONG_LEASE));
        network.stick(Direction.TO_SERVER, Direction.TO_CLIENT);
        remote.awaitLost("cutOff");
        assertThat(remote.isValid("cutOff")).isFalse();
        assertThat(remote.release("cutOff")).isEqualTo(ReleaseResult.LOST);
        ObservedLease next = get(waiter, SOON);
        String owner = owner();
        // The renewals and the release arrive after all.
        network.flow();
        remote.acquire("other", renewed(name + ":other", LONG_LEASE));
        assertThat(owner()).isEqualTo(owner);
        assertStillHeld(next, there);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(remote.release("other")).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void anAcquireWhoseAnswerIsSwallowedLeavesNoLockBehind() {
        TcpProxy network = newProxy();
        Instance deaf = newInstance(network.port());
        network.stick(Direction.TO_CLIENT);
        long start = System.nanoTime();
        // Redis gives the lock, and nobody hears of it.
        assertThat(deaf.locks().attempt(renewed(LONG_LEASE))).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(since(start)).isLessThan(SOON);
        ObservedLease next = acquire(there, renewed(LONG_LEASE));
        network.flow();
        assertThat(answeredAttempt(deaf, once())).isInstanceOf(LockOutcome.Busy.class);
        assertStillHeld(next, deaf);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(deaf, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void anAcquireThatArrivesAfterItsAttemptWasGivenUpTakesNothing() throws Exception {
        TcpProxy network = newProxy();
        Instance late = newInstance(network.port());
        awaitSubscriptions(3);
        network.stick(Direction.TO_SERVER);
        CompletableFuture<LockOutcome> attempt = late.executor().acquire(renewed(LONG_LEASE), LockOwner.unique());
        eventually().until(() -> network.holdsBack(name));
        network.refuse(true);
        network.strand();
        assertThat(attempt.cancel(true)).isTrue();
        network.refuse(false);
        // The cancellation overtakes the acquire over a new connection.
        eventually().until(() -> keys().stream().anyMatch(key -> key.contains(":gone:")));
        try (RedisMonitor monitor = new RedisMonitor(redis)) {
            network.flow();
            eventually()
                    .until(() -> monitor.lines().stream()
                            .anyMatch(line -> line.contains(ownerKey(name)) && line.contains("\"NX\"")));
        }
        // The acquire is a SET, which reads no tombstone. A release that follows it takes the lock back.
        await().atMost(LONGEST_TEST).until(() -> !keys().contains(ownerKey(name)));
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aWaiterInABlackHoleIsPassedOverAndGetsItsTurnLater() throws Exception {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port());
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(cutOff, renewed(LONG_LEASE));
        network.stick(Direction.TO_SERVER, Direction.TO_CLIENT);
        CompletableFuture<ObservedLease> second = startWaiting(there, renewed(LONG_LEASE));
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease next = get(second, SOON);
        assertThat(waiter).isNotDone();
        network.flow();
        assertStillHeld(next, here);
        assertThat(waiter).isNotDone();
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void connectionsThatAreCutInTheMiddleOfEverythingCostNobodyATurn() throws Exception {
        TcpProxy network = newProxy();
        network.latency(Duration.ofMillis(5));
        Instance shaky = newInstance(network.port());
        CompletableFuture<Integer> turns = start(() -> takeTurns(shaky, 20));
        CompletableFuture<Integer> others = start(() -> takeTurns(there, 20));
        while (!turns.isDone()) {
            long cut = System.nanoTime();
            network.cut();
            awaitTime(Duration.ofMillis(150), cut);
        }
        assertThat(get(turns)).isEqualTo(20);
        assertThat(get(others)).isEqualTo(20);
    }

    /** A cut may cost an attempt (nobody knows whether Redis lives) or a release's answer, but never the turn for good. */
    private int takeTurns(Instance instance, int count) {
        int taken = 0;
        while (taken < count) {
            long calledAt = System.nanoTime();
            LockOutcome outcome = instance.locks().attempt(renewed(Duration.ofSeconds(5)));
            if (outcome instanceof LockOutcome.Acquired) {
                ObservedLease lease = observe(outcome, calledAt);
                assertThat(lease.release()).isIn(ReleaseResult.RELEASED, ReleaseResult.UNCONFIRMED);
                taken++;
            } else {
                assertThat(outcome).isInstanceOf(LockOutcome.BackendFailed.class);
            }
        }
        return taken;
    }
}
