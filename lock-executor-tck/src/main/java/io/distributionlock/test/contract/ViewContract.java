package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockLostException;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The view of a lock behaves as {@link java.util.concurrent.locks.Lock} specifies. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about what happens between lock and unlock.
abstract class ViewContract extends ContractSuite {

    @OnEveryThreadKind
    void everyLockMethodLocksOnce() throws Exception {
        DistributedLock lock = here.lock(name);
        assertThat(lock.name()).isEqualTo(name);
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.lockInterruptibly();
        for (int held = 4; held > 0; held--) {
            assertThat(lock.holdCount()).isEqualTo(held);
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            assertBusy(there);
            lock.unlock();
        }
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void tryLockReturnsWhetherItLocked() throws Exception {
        DistributedLock lock = here.lock(name);
        lock.lock();
        for (LockTemplate process : List.of(here, there)) {
            DistributedLock other = process.lock(name);
            assertThat(crew.call(() -> other.tryLock())).isFalse();
            Timed<Boolean> end = crew.call(() -> timed(() -> other.tryLock(300, TimeUnit.MILLISECONDS)));
            assertThat(end.result()).isFalse();
            assertThat(end.took()).isBetween(Duration.ofMillis(300), SOON);
            assertThat(crew.call(() -> other.tryLock(0, TimeUnit.SECONDS))).isFalse();
            assertThat(crew.call(() -> other.tryLock(-1, TimeUnit.DAYS))).isFalse();
        }
        lock.unlock();
        assertThat(crew.call(() -> lockAndUnlockInDays(there.lock(name)))).isTrue();
    }

    private static boolean lockAndUnlockInDays(DistributedLock lock) throws InterruptedException {
        boolean locked = lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS);
        lock.unlock();
        return locked;
    }

    @OnEveryThreadKind
    void lockWaitsWithoutLimit() throws Exception {
        DistributedLock lock = here.lock(name);
        lock.lock();
        Crew.Member<Boolean> waiter = crew.start(() -> {
            DistributedLock other = there.lock(name);
            other.lock();
            boolean held = other.isHeldByCurrentThread();
            other.unlock();
            return held;
        });
        waiter.awaitBlocked();
        assertThat(waiter.isDone()).isFalse();
        lock.unlock();
        assertThat(waiter.result()).isTrue();
    }

    @OnEveryThreadKind
    void onlyTheLockingThreadCanUnlock() throws Exception {
        DistributedLock lock = here.lock(name);
        lock.lock();
        crew.call(() -> {
            assertThatExceptionOfType(IllegalMonitorStateException.class)
                    .isThrownBy(lock::unlock)
                    .withMessageContaining(name);
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThat(lock.holdCount()).isZero();
            return null;
        });
        assertBusy(there);
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @OnEveryThreadKind
    void unlockAfterALossThrows() throws Exception {
        LockTemplate limited = new LockTemplate(
                newExecutor(), new LockDefaults(Duration.ZERO, Duration.ofMillis(300), Duration.ofMillis(300)));
        DistributedLock lock = limited.lock(name);
        lock.lock();
        awaitUntil(() -> !there.lock(name).isLocked());
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(e -> assertThat(e.lockName()).isEqualTo(name));
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @OnEveryThreadKind
    void isLockedSeesAllProcesses() throws Exception {
        assertThat(here.lock(name).isLocked()).isFalse();
        Lease lease = here.acquire(once());
        assertThat(here.lock(name).isLocked()).isTrue();
        assertThat(there.lock(name).isLocked()).isTrue();
        assertThat(crew.call(() -> there.lock(name).isLocked())).isTrue();
        assertThat(there.lock(name).isHeldByCurrentThread()).isFalse();
        lease.close();
        assertThat(there.lock(name).isLocked()).isFalse();
    }

    @OnEveryThreadKind
    void viewsOfOneNameAreEqual() {
        DistributedLock lock = here.lock(name);
        DistributedLock same = here.lock(name);
        lock.lock();
        same.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        same.unlock();
        lock.unlock();
        assertThat(lock).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(here.lock(name(":other")));
        assertThat(lock).isNotEqualTo(there.lock(name));
        assertThat(lock.toString()).contains(name);
    }

    @OnEveryThreadKind
    void viewCountsOnlyItsOwnHolds() throws Exception {
        // What the thread holds otherwise does not count, and unlock() refuses it.
        DistributedLock lock = here.lock(name);
        try (Lease lease = here.acquire(once())) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            lock.lock();
            assertThat(lock.holdCount()).isEqualTo(1);
            assertThat(holdsHere()).isEqualTo(2);
            lock.unlock();
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
            assertBusy(there);
        }
    }

    @OnEveryThreadKind
    void conditionsAreUnsupported() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> here.lock(name).newCondition())
                .withMessageContaining(name);
    }
}
