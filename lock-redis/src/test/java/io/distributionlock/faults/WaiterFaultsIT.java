package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A process dies or stops that waits for the lock, in front of others. */
@Tag("server")
class WaiterFaultsIT extends FaultSuite {

    private static final Duration LIVENESS_TIMEOUT = Duration.ofSeconds(3);

    /** The lock is handed to the dead, whose grant lease (3 s) ends; the next one asks within a heartbeat (1 s). */
    private static final Duration HANDED_TO_THE_DEAD = Duration.ofSeconds(4).plus(Duration.ofSeconds(6));

    @Tag("long")
    @ParameterizedTest(name = "{0} threads wait in the process that is killed")
    @ValueSource(ints = {1, 100})
    void aKilledProcessAtTheHeadOfTheQueueHoldsUpTheOthersForAMomentOnly(int threads) throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        RemoteInstance remote = newRemote();
        for (int thread = 0; thread < threads; thread++) {
            remote.start("waiter-" + thread, renewed(LONG_LEASE));
        }
        eventually().until(() -> remote.waiting() == threads && queueLength(name) == 1);
        CompletableFuture<ObservedLease> next = startWaiting(there, renewed(LONG_LEASE));
        assertThat(queueLength(name)).as("claims, one for each process").isEqualTo(2);
        remote.kill();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        ObservedLease got = get(next, HANDED_TO_THE_DEAD);
        assertThat(got.token()).isGreaterThan(held.token());
        assertThat(queueLength(name)).isZero();
        assertStillHeld(got, here);
        assertThat(got.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aKilledProcessWithManyFairWaitersHoldsUpTheOthersOnceOnly() throws Exception {
        int threads = 100;
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        RemoteInstance remote = newRemote();
        for (int thread = 0; thread < threads; thread++) {
            remote.start("waiter-" + thread, fair());
        }
        eventually().until(() -> queueLength(name) == threads);
        List<CompletableFuture<ObservedLease>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(startWaiting(there, fair()));
        }
        eventually().until(() -> queueLength(name) == threads + 5);
        remote.kill();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        long start = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            // In whatever order these five came: their threads were started together.
            CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new))
                    .get(HANDED_TO_THE_DEAD.toMillis(), TimeUnit.MILLISECONDS);
            CompletableFuture<ObservedLease> next = others.stream()
                    .filter(CompletableFuture::isDone)
                    .findFirst()
                    .orElseThrow();
            others.remove(next);
            assertThat(get(next, Duration.ZERO).release()).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("a hundred dead waiters cost as much as one")
                .isLessThan(HANDED_TO_THE_DEAD);
        assertThat(queueLength(name)).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"WRITE", "FAIR", "REENTRANT"})
    void readersBehindAKilledProcessEnterBesideAReaderWhoStays(LockKind kind) throws Exception {
        LockRequest read = single(LockKind.READ, LONG_LEASE);
        Lease reader = here.locks().acquire(read);
        RemoteInstance remote = newRemote();
        remote.start("waiter", single(kind, LONG_LEASE));
        eventually().until(() -> queueLength(name) == 1);
        CompletableFuture<Lease> next = start(() -> there.locks().acquire(read));
        eventually().until(() -> queueLength(name) == 2);
        remote.kill();
        Lease got = get(next, HANDED_TO_THE_DEAD);
        assertThat(reader.confirm()).isTrue();
        assertThat(reader.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(got.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(here, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void readersEnterThoughTheWriterBeforeThemNeverLearnsThatItsReleaseRan() throws Exception {
        int readers = 150;
        TcpProxy proxy = newProxy();
        Instance writing = newInstance(proxy.port());
        ObservedLease written = acquire(writing, single(LockKind.WRITE, LONG_LEASE));
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            attempts.add(there.executor().acquire(single(LockKind.READ, LONG_LEASE), LockOwner.unique()));
        }
        eventually().until(() -> queueLength(name) == readers);
        // One run of a script admits a hundred, and its caller does not hear that others are left.
        proxy.stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<ReleaseResult> released = start(written::release);

        List<LockOutcome> outcomes = new ArrayList<>();
        for (CompletableFuture<LockOutcome> attempt : attempts) {
            outcomes.add(get(attempt, HANDED_TO_THE_DEAD));
        }
        proxy.flow();
        get(released);
        assertThat(outcomes).allSatisfy(outcome -> {
            assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
            Lease lease = ((LockOutcome.Acquired) outcome).lease();
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        });
    }

    @Tag("long")
    @Test
    void aProcessThatHasBeenDeadForLongerThanTheLivenessTimeoutIsPassedOver() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        RemoteInstance remote = newRemote();
        remote.start("waiter", renewed(LONG_LEASE));
        eventually().until(() -> queueLength(name) == 1);
        CompletableFuture<ObservedLease> next = startWaiting(there, renewed(LONG_LEASE));
        remote.kill();
        awaitTime(LIVENESS_TIMEOUT.plusMillis(500), System.nanoTime());
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(owner()).as("the dead got nothing").isNotEqualTo("null");
        // Sooner than a grant lease ends that nobody uses.
        assertThat(get(next, Duration.ofMillis(2_500)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aWaiterThatWasStoppedWhenItGotTheLockDoesNotTakeItTwice() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        RemoteInstance remote = newRemote();
        remote.start("waiter", renewed(LONG_LEASE));
        eventually().until(() -> queueLength(name) == 1);
        CompletableFuture<ObservedLease> next = startWaiting(there, renewed(LONG_LEASE));
        remote.pause();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        // Its grant lease ended while it was stopped; the message of that grant is the first thing it reads afterwards.
        ObservedLease got = get(next, HANDED_TO_THE_DEAD);
        remote.resume();
        eventually().until(() -> queueLength(name) == 1);
        assertStillHeld(got, here);
        assertThat(got.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(remote.awaitAcquired("waiter").token()).isGreaterThan(got.token());
        assertThat(remote.isValid("waiter")).isTrue();
        assertThat(remote.release("waiter")).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void nobodyOvertakesALiveWaiterWhileThoseBeforeItAreFoundToBeDead() throws Exception {
        int dead = 150;
        TcpProxy holders = newProxy();
        TcpProxy waiters = newProxy();
        TcpProxy dying = newProxy();
        EngineSettings deadAfterTwoSeconds = settings(Duration.ofMillis(200), Duration.ofSeconds(2));
        Instance holding = newInstance(holders.port(), deadAfterTwoSeconds);
        Instance newcomer = newInstance(redis.port(), deadAfterTwoSeconds.withInstance("newcomer"));
        Instance waiting = newInstance(waiters.port(), deadAfterTwoSeconds.withInstance("waiting"));
        Instance leaving = newInstance(dying.port(), deadAfterTwoSeconds.withInstance("leaving"));
        ObservedLease held = acquire(holding, fair());
        List<CompletableFuture<LockOutcome>> attempts = startAttempts(leaving, fair(), dead);
        eventually().until(() -> queueLength(name) == dead);
        dying.refuse(true);
        dying.cut();
        long start = System.nanoTime();
        CompletableFuture<ObservedLease> waiter = startWaiting(waiting, fair());
        awaitTime(Duration.ofMillis(2_100), start);
        waiters.stick(TcpProxy.Direction.TO_SERVER);
        // It lives, however long this machine takes until Redis asks.
        redis.command("HSET", ownerKey(name) + ":peers", "waiting", "99999999999999");
        // One run of a script drops a hundred, and its caller does not hear that others are left.
        holders.stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<ReleaseResult> released = start(held::release);
        eventually().until(() -> queueLength(name) < dead);

        assertThat(answeredAttempt(newcomer, once())).isInstanceOf(LockOutcome.Busy.class);
        waiters.flow();
        holders.flow();
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        get(released);
        dying.refuse(false);
        attempts.forEach(attempt -> attempt.cancel(true));
    }

    @Test
    void whoeverHasTakenTheLockMeanwhileAWaiterThatComesBackIsNext() throws Exception {
        TcpProxy network = newProxy();
        Instance cutOff = newInstance(network.port(), settings(Duration.ofMillis(500), Duration.ofMinutes(1)));
        ObservedLease gone = acquire(here, fixed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(cutOff, renewed(LONG_LEASE));
        network.stick(TcpProxy.Direction.TO_SERVER, TcpProxy.Direction.TO_CLIENT);
        // As if the holder had died, and nobody had asked for long enough.
        dataWillBeLost();
        redis.command("DEL", ownerKey(name));
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        network.flow();
        cutOff.awaitAnswers(name);
        // Nobody else sends anything: heartbeats are among these.
        long scripts = redis.calls("evalsha");
        eventually().until(() -> redis.calls("evalsha") >= scripts + 3);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(answeredAttempt(there, once())).isInstanceOf(LockOutcome.Busy.class);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(gone.release()).isEqualTo(ReleaseResult.LOST);
    }
}
