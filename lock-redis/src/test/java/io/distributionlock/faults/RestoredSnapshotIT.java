package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis comes back with what it knew some time ago (finding T1): it may know of claims that nobody has any longer. */
@Tag("server")
@Tag("long")
class RestoredSnapshotIT extends FaultSuite {

    /** A claim that is granted the lock and does not use it keeps it for 3 s. So many of them would keep it for twice as long as this. */
    private static final int WITHDRAWN = 10;

    @TempDir
    private Path folder;

    @Override
    RedisProcess newRedis() {
        return RedisProcess.start(RedisBinary.GIVEN, "--dir", folder.toString());
    }

    private void takeSnapshot() {
        assertThat(redis.command("SAVE")).isEqualTo("OK");
    }

    private void restoreSnapshot() {
        dataWillBeLost();
        redis.kill();
        redis.startAgain();
        awaitSubscriptions(2);
        here.awaitLocks();
        there.awaitLocks();
    }

    /** So many attempts of a process wait when the snapshot is taken, and have gone when it is restored. */
    private void withdrawBehindTheSnapshot(Instance instance, LockKind kind) {
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        long before = queueLength(name);
        for (int i = 0; i < WITHDRAWN; i++) {
            attempts.add(instance.executor().acquire(single(kind, LONG_LEASE), LockOwner.unique()));
        }
        eventually().until(() -> queueLength(name) == before + WITHDRAWN);
        takeSnapshot();
        attempts.forEach(attempt -> assertThat(attempt.cancel(true)).isTrue());
        eventually().until(() -> queueLength(name) == before);
    }

    @Test
    void claimsThatWereWithdrawnHoldUpNobody() throws Exception {
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        withdrawBehindTheSnapshot(here, LockKind.FAIR);
        // The first shows that the process of those claims lives.
        List<CompletableFuture<ObservedLease>> waiters = List.of(
                startWaiting(here, single(LockKind.FAIR, LONG_LEASE)),
                startWaiting(there, single(LockKind.FAIR, LONG_LEASE)));
        restoreSnapshot();
        // Their heartbeats bring them behind those claims, in any order.
        eventually().until(() -> queueLength(name) == WITHDRAWN + waiters.size());
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        releaseEach(waiters);
    }

    @Test
    void readersThatHaveGoneDoNotHoldUpAWriter() throws Exception {
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        withdrawBehindTheSnapshot(here, LockKind.READ);
        CompletableFuture<ObservedLease> writer = startWaiting(here, single(LockKind.WRITE, LONG_LEASE));
        restoreSnapshot();
        eventually().until(() -> queueLength(name) == WITHDRAWN + 1);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        releaseEach(List.of(writer));
    }

    private static void releaseEach(List<CompletableFuture<ObservedLease>> waiters) throws Exception {
        List<CompletableFuture<ObservedLease>> waiting = new ArrayList<>(waiters);
        while (!waiting.isEmpty()) {
            CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                    .get(SOON.toMillis(), TimeUnit.MILLISECONDS);
            for (CompletableFuture<ObservedLease> got :
                    waiting.stream().filter(CompletableFuture::isDone).toList()) {
                waiting.remove(got);
                assertThat(get(got).release()).isEqualTo(ReleaseResult.RELEASED);
            }
        }
    }

    /** Nobody who holds it waits for it, so nothing but a question tells its process. */
    @ParameterizedTest
    @EnumSource(value = LockKind.class, mode = EnumSource.Mode.EXCLUDE, names = "PERMIT")
    void aLockThatWasReleasedIsGivenBackSoonAfterSomebodyWaitsForIt(LockKind kind) throws Exception {
        ObservedLease held = acquire(here, single(kind, LONG_LEASE));
        takeSnapshot();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        restoreSnapshot();
        assertThat(answeredAttempt(there, once())).as("blocked as by a holder").isInstanceOf(LockOutcome.Busy.class);
        releaseEach(List.of(startWaiting(there, renewed(LONG_LEASE))));
    }

    @Test
    void manyReadersThatHaveGoneAreGivenBackSoonAfterAWriterWaits() throws Exception {
        List<ObservedLease> readers = new ArrayList<>();
        for (int i = 0; i < WITHDRAWN; i++) {
            readers.add(get(start(() -> acquire(here, single(LockKind.READ, LONG_LEASE)))));
        }
        takeSnapshot();
        readers.forEach(reader -> assertThat(reader.release()).isEqualTo(ReleaseResult.RELEASED));
        restoreSnapshot();
        releaseEach(List.of(startWaiting(there, renewed(LONG_LEASE))));
    }

    /** What its last life has left behind is that of a dead process: nobody can be asked. */
    @Test
    void whatADeadProcessLeftIsDroppedWhenItsLeaseEnds() throws Exception {
        RemoteInstance remote = newRemote();
        ObservedLease held = acquire(there, renewed(LONG_LEASE));
        remote.start("waiter", renewed(LONG_LEASE));
        eventually().until(() -> queueLength(name) == 1);
        takeSnapshot();
        remote.kill();
        CompletableFuture<ObservedLease> waiter = startWaiting(here, renewed(LONG_LEASE));
        restoreSnapshot();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        releaseEach(List.of(waiter));
    }

    /** Numbers go by the clock of Redis, so that an old last number does no harm; a tombstone is of a claim that nobody has. */
    @Test
    void anOldFencingNumberMakesNoNumberSmaller() throws Exception {
        assertThat(acquire(here, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
        takeSnapshot();
        ObservedLease last = acquire(there, renewed(LONG_LEASE));
        long token = last.token();
        assertThat(last.release()).isEqualTo(ReleaseResult.RELEASED);
        restoreSnapshot();
        ObservedLease next = acquire(here, renewed(LONG_LEASE));
        assertThat(next.token()).isGreaterThan(token);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
