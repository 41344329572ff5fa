package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DistributedReadWriteLock;
import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockUpgradeException;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Many readers or one writer. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about what happens between lock and unlock.
abstract class ReadWriteContract extends ContractSuite {

    /** The lease of renewed locks. */
    private static final Duration LEASE = Duration.ofMillis(600);

    @Override
    Set<LockKind> neededKinds() {
        return Set.of(LockKind.READ, LockKind.WRITE);
    }

    private LockRequest read(Duration wait) {
        return asking(LockKind.READ, wait).build();
    }

    private LockRequest write(Duration wait) {
        return asking(LockKind.WRITE, wait).build();
    }

    private Lease readElsewhere(LockTemplate process) throws Exception {
        return crew.call(() -> process.acquire(read(SOON)));
    }

    private void assertBusyFor(LockTemplate process, LockKind kind) throws Exception {
        assertBusy(process, asking(kind, Duration.ZERO).build());
    }

    @OnEveryThreadKind
    void readersShareAndExcludeWriters() throws Exception {
        List<Lease> readers = List.of(readElsewhere(here), readElsewhere(here), readElsewhere(there));
        assertThat(readers).allMatch(Lease::isValid).allMatch(reader -> reader.kind() == LockKind.READ);
        assertThat(readers.stream().map(Lease::fencingToken)).isSorted().doesNotHaveDuplicates();
        for (LockTemplate process : List.of(here, there)) {
            for (LockKind kind : supported(LockKind.WRITE, LockKind.REENTRANT, LockKind.FAIR)) {
                assertBusyFor(process, kind);
            }
        }
        CompletableFuture<LockOutcome> writer = queueUp(there, write(MAX_TEST_TIME));
        readers.get(0).close();
        readers.get(2).close();
        assertThat(readers.get(1).confirm()).isTrue();
        assertThat(writer).isNotDone();
        readers.get(1).close();
        Lease written = leaseOf(outcomeOf(writer));
        assertThat(written.fencingToken()).isGreaterThan(readers.get(2).fencingToken());
        written.close();
    }

    @OnEveryThreadKind
    void writerExcludesAllOthers() throws Exception {
        Lease written = here.acquire(write(Duration.ZERO));
        for (LockTemplate process : List.of(here, there)) {
            for (LockKind kind : supported(lockKinds())) {
                assertBusyFor(process, kind);
            }
        }
        written.close();
        readElsewhere(there).close();
    }

    @OnEveryThreadKind
    void waitingReadersAcquireTogether() throws Exception {
        Lease written = here.acquire(write(Duration.ZERO));
        List<CompletableFuture<LockOutcome>> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            readers.add(queueUp(i % 2 == 0 ? here : there, read(MAX_TEST_TIME)));
        }
        CompletableFuture<LockOutcome> writer = queueUp(here, write(MAX_TEST_TIME));
        CompletableFuture<LockOutcome> late = queueUp(there, read(MAX_TEST_TIME));
        written.close();
        List<Lease> inside = new ArrayList<>();
        for (CompletableFuture<LockOutcome> reader : readers) {
            inside.add(leaseOf(outcomeOf(reader)));
        }
        assertThat(inside).allMatch(Lease::isValid);
        assertThat(writer).as("a writer does not enter beside readers").isNotDone();
        assertThat(late).as("a reader does not overtake a writer").isNotDone();
        inside.forEach(Lease::close);
        Lease second = leaseOf(outcomeOf(writer));
        assertThat(late).isNotDone();
        second.close();
        leaseOf(outcomeOf(late)).close();
    }

    @OnEveryThreadKind
    void newReadersDoNotStarveAWaitingWriter() throws Exception {
        Lease reader = readElsewhere(here);
        CompletableFuture<LockOutcome> writer = queueUp(there, write(MAX_TEST_TIME));
        assertBusyFor(here, LockKind.READ);
        assertBusyFor(there, LockKind.READ);
        reader.close();
        leaseOf(outcomeOf(writer)).close();
    }

    @OnEveryThreadKind
    void readersAcquireWhenTheWriterBeforeThemGivesUp() throws Exception {
        Lease reader = readElsewhere(here);
        CompletableFuture<LockOutcome> writer = queueUp(there, write(MAX_TEST_TIME));
        CompletableFuture<LockOutcome> behind = queueUp(here, read(MAX_TEST_TIME));
        assertThat(behind).isNotDone();
        assertThat(writer.cancel(true)).isTrue();
        Timed<LockOutcome> turn = timed(() -> outcomeOf(behind));
        assertThat(turn.took()).isLessThan(BEFORE_AN_ORPHAN_ENDS);
        assertThat(reader.isValid()).isTrue();
        leaseOf(turn.result()).close();
        reader.close();
    }

    @OnEveryThreadKind
    void writerWhoAlsoReadsExcludesAllOthersUntilBothAreReleased() throws Exception {
        for (LockKind kind : supported(LockKind.WRITE, LockKind.REENTRANT, LockKind.FAIR)) {
            Lease written = here.acquire(asking(kind, Duration.ZERO).build());
            Lease read = here.acquire(read(Duration.ZERO));
            CompletableFuture<LockOutcome> waiting = queueUp(there, read(MAX_TEST_TIME));
            assertThat(written.release()).isEqualTo(ReleaseResult.STILL_HELD);
            assertThat(read.confirm()).isTrue();
            assertBusyFor(here, LockKind.READ);
            assertBusyFor(there, LockKind.WRITE);
            assertThat(waiting)
                    .as("a reader beside one that began with %s", kind)
                    .isNotDone();
            assertThat(read.release()).isEqualTo(ReleaseResult.RELEASED);
            leaseOf(outcomeOf(waiting)).close();
        }
    }

    @OnEveryThreadKind
    void writerWhoStillReadsMayWriteAgain() throws Exception {
        Lease written = here.acquire(write(Duration.ZERO));
        Lease read = here.acquire(read(Duration.ZERO));
        written.close();
        Lease again = here.acquire(write(Duration.ZERO));
        read.close();
        assertThat(again.confirm()).isTrue();
        assertBusyFor(there, LockKind.READ);
        again.close();
        readElsewhere(there).close();
    }

    @OnEveryThreadKind
    void minimumHoldTimeOfAWriterDelaysReaders() throws Exception {
        Duration least = Duration.ofSeconds(2);
        Lease written = here.acquire(
                asking(LockKind.WRITE, Duration.ZERO).minHoldTime(least).build());
        Lease read = here.acquire(read(Duration.ZERO));
        assertThat(written.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(read.release()).isEqualTo(ReleaseResult.RELEASED);
        LockOutcome other = there.acquireAsync(read(Duration.ZERO)).get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(other).isInstanceOf(LockOutcome.Busy.class);
    }

    @OnEveryThreadKind
    void plainLockHasATokenAlsoWhenOnlyItsReaderIsLeft() throws Exception {
        Lease earlier = crew.call(() -> there.acquire(write(SOON)));
        long before = earlier.fencingToken();
        earlier.close();
        Lease held = here.acquire(once());
        Lease read = here.acquire(read(Duration.ZERO));
        assertThat(held.release()).isEqualTo(ReleaseResult.STILL_HELD);

        long token = read.fencingToken();
        assertThat(token).isGreaterThan(before);
        assertThat(read.fencingToken()).isEqualTo(token);
        assertThat(read.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = crew.call(() -> there.acquire(write(SOON)));
        assertThat(next.fencingToken()).isGreaterThan(token);
        next.close();
    }

    @OnEveryThreadKind
    void releaseOfAnInnerReadLeavesTheWriterAlone() throws Exception {
        Lease written = here.acquire(
                asking(LockKind.WRITE, Duration.ZERO).renewedLease(LEASE).build());
        Lease read = here.acquire(read(Duration.ZERO));
        assertThat(read.release()).isEqualTo(ReleaseResult.STILL_HELD);
        // Longer than the lease, so that only renewal keeps the lock.
        CompletableFuture<LockOutcome> waiting = there.acquireAsync(read(Duration.ofMillis(1_800)));
        assertThat(outcomeOf(waiting)).isInstanceOf(LockOutcome.Busy.class);
        assertThat(written.confirm()).isTrue();
        written.close();
    }

    @OnEveryThreadKind
    void upgradeIsRefusedWithoutDeadlock() throws Exception {
        DistributedReadWriteLock lock = here.readWriteLock(name);
        lock.readLock().lock();
        for (LockKind kind : supported(LockKind.WRITE, LockKind.FAIR, LockKind.REENTRANT)) {
            assertThatExceptionOfType(LockUpgradeException.class)
                    .isThrownBy(() -> here.acquire(asking(kind, SOON).build()))
                    .withMessageContaining(name)
                    .withMessageContaining(kind.name());
        }
        // tryLock returns false, as that of the JDK does.
        assertThat(lock.writeLock().tryLock()).isFalse();
        assertThat(lock.writeLock().tryLock(1, TimeUnit.SECONDS)).isFalse();
        assertThat(here.lock(name).isHeldByCurrentThread())
                .as("the plain view, for a reader's hold")
                .isFalse();
        assertThatExceptionOfType(LockUpgradeException.class)
                .isThrownBy(() -> lock.writeLock().lock());
        assertThat(here.acquireAsync(write(SOON), LockOwner.currentThread()))
                .succeedsWithin(SOON)
                .isInstanceOf(LockOutcome.Upgrade.class);
        assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
        lock.readLock().unlock();
        crew.call(() -> there.acquire(write(SOON))).close();
    }

    @OnEveryThreadKind
    void viewCountsReadsAndWritesSeparately() throws Exception {
        DistributedReadWriteLock lock = here.readWriteLock(name);
        lock.writeLock().lock();
        lock.readLock().lock();
        assertThat(lock.readLock().tryLock(1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.writeLock().holdCount()).isEqualTo(1);
        assertThat(lock.readLock().holdCount()).isEqualTo(2);
        lock.writeLock().unlock();
        assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock.writeLock()::unlock);
        lock.readLock().unlock();
        assertBusyFor(there, LockKind.READ);
        lock.readLock().unlock();
        assertThat(lock.readLock().isLocked()).isFalse();
    }

    @OnEveryThreadKind
    void expiryOfOneReaderLeavesTheOthers() throws Exception {
        Lease stays = readElsewhere(here);
        Lease ends = crew.call(() -> there.acquire(
                asking(LockKind.READ, SOON).holdLockTime(Duration.ofMillis(300)).build()));
        awaitLost(ends);
        assertThat(ends.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(stays.confirm()).isTrue();
        assertBusyFor(there, LockKind.WRITE);
        stays.close();
        crew.call(() -> there.acquire(write(SOON))).close();
    }

    @OnEveryThreadKind
    void writerAcquiresWhenTheLeasesOfCrashedReadersHaveExpired() throws Exception {
        crew.call(() -> here.acquire(
                asking(LockKind.READ, SOON).holdLockTime(Duration.ofMillis(700)).build()));
        Timed<LockOutcome> writer = crew.call(() -> timed(() -> there.attempt(write(SOON))));
        assertThat(writer.took()).isLessThan(SOON);
        leaseOf(writer.result()).close();
    }

    @OnEveryThreadKind
    void renewedReaderOutlivesItsLease() throws Exception {
        Lease reader = crew.call(() ->
                here.acquire(asking(LockKind.READ, SOON).renewedLease(LEASE).build()));
        assertBusy(there, write(Duration.ofMillis(1_500)));
        assertThat(reader.confirm()).isTrue();
        assertThat(reader.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void forcedReleaseEndsAllReaders() throws Exception {
        List<Lease> readers = List.of(readElsewhere(here), readElsewhere(there));
        assertThat(forceRelease()).isTrue();
        readers.forEach(ContractSuite::awaitLost);
        crew.call(() -> there.acquire(write(SOON))).close();
    }

    @OnEveryThreadKind
    void minimumHoldTimeOfAReaderDelaysWriters() throws Exception {
        Duration kept = Duration.ofMillis(800);
        Timed<LockOutcome> writer = crew.call(() -> timed(() -> {
            here.acquire(asking(LockKind.READ, SOON).minHoldTime(kept).build()).close();
            readElsewhere(there).close();
            return there.attempt(write(SOON));
        }));
        assertThat(writer.took()).isBetween(kept, SOON);
        leaseOf(writer.result()).close();
    }
}
