package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockInterruptedException;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An interrupt ends a wait, is never swallowed, and leaves nothing behind. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about what happens between lock and unlock.
abstract class InterruptionContract extends ContractSuite {

    @OnEveryThreadKind
    void interruptBeforeTheAttemptEndsItAndKeepsTheFlag() throws Exception {
        assertThat(crew.call(() -> {
                    Thread.currentThread().interrupt();
                    LockOutcome outcome = here.attempt(patient());
                    assertThat(outcome).isInstanceOf(LockOutcome.Interrupted.class);
                    return Thread.interrupted();
                }))
                .isTrue();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void interruptDuringTheWaitEndsItAndKeepsTheFlag() throws Exception {
        Lease lease = here.acquire(once());
        for (var process : List.of(here, there)) {
            Crew.Member<Boolean> waiter = crew.start(() -> {
                LockOutcome outcome = process.attempt(patient());
                assertThat(outcome).isInstanceOf(LockOutcome.Interrupted.class);
                assertThat(((LockOutcome.NotAcquired) outcome).reason()).isEqualTo(LockFailureReason.INTERRUPTED);
                return Thread.interrupted();
            });
            waiter.awaitBlocked();
            waiter.interrupt();
            assertThat(timed(waiter::result)).satisfies(end -> {
                assertThat(end.result()).isTrue();
                assertThat(end.took()).isLessThan(SOON);
            });
        }
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void interruptedAcquireHasItsOwnException() throws Exception {
        Lease lease = here.acquire(once());
        Crew.Member<Boolean> waiter = crew.start(() -> {
            assertThatExceptionOfType(LockInterruptedException.class)
                    .isThrownBy(() -> there.acquire(patient()))
                    .satisfies(e -> assertThat(e.lockName()).isEqualTo(name));
            assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> there.tryAcquire(patient()));
            return Thread.interrupted();
        });
        waiter.awaitBlocked();
        waiter.interrupt();
        assertThat(waiter.result()).isTrue();
        lease.close();
    }

    @OnEveryThreadKind
    void lockInterruptiblyAndTimedTryLockThrowAndClearTheFlag() throws Exception {
        DistributedLock lock = there.lock(name);
        assertThat(flagAfterInterruptedExceptionBeforeStart(lock::lockInterruptibly))
                .isFalse();
        assertThat(flagAfterInterruptedExceptionBeforeStart(() -> lock.tryLock(1, TimeUnit.MINUTES)))
                .isFalse();
        Lease lease = here.acquire(once());
        assertThat(flagAfterInterruptedException(lock::lockInterruptibly)).isFalse();
        assertThat(flagAfterInterruptedException(() -> lock.tryLock(1, TimeUnit.MINUTES)))
                .isFalse();
        lease.close();
        assertFreeAtOnce(there);
    }

    private boolean flagAfterInterruptedExceptionBeforeStart(Interruptible call) throws Exception {
        return crew.call(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(call::run);
            return Thread.interrupted();
        });
    }

    private boolean flagAfterInterruptedException(Interruptible call) throws Exception {
        Crew.Member<Boolean> waiter = crew.start(() -> {
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(call::run);
            return Thread.interrupted();
        });
        waiter.awaitBlocked();
        waiter.interrupt();
        return waiter.result();
    }

    @OnEveryThreadKind
    void lockKeepsWaitingAndSetsTheFlagAgain() throws Exception {
        Lease lease = here.acquire(once());
        DistributedLock lock = there.lock(name);
        Crew.Member<Boolean> waiter = crew.start(() -> {
            lock.lock();
            lock.unlock();
            return Thread.interrupted();
        });
        waiter.awaitBlocked();
        waiter.interrupt();
        assertBusy(there);
        waiter.awaitBlocked();
        assertThat(waiter.isDone()).isFalse();
        lease.close();
        assertThat(waiter.result()).isTrue();
        assertFreeAtOnce(here);
    }

    @OnEveryThreadKind
    void tryLockAndUnlockIgnoreTheFlagAndKeepIt() throws Exception {
        DistributedLock lock = here.lock(name);
        assertThat(crew.call(() -> {
                    Thread.currentThread().interrupt();
                    assertThat(lock.tryLock()).isTrue();
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                    assertThat(lock.isHeldByCurrentThread()).isTrue();
                    lock.unlock();
                    return Thread.interrupted();
                }))
                .isTrue();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void interruptDoesNotStopARelease() throws Exception {
        assertThat(crew.call(() -> {
                    Lease lease = here.acquire(once());
                    Thread.currentThread().interrupt();
                    assertThat(lease.extend(Duration.ofSeconds(90))).isTrue();
                    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
                    return Thread.interrupted();
                }))
                .isTrue();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void interruptedWaiterDoesNotDelayThoseBehindIt() throws Exception {
        Lease lease = here.acquire(once());
        Crew.Member<LockOutcome> first = crew.start(() -> there.attempt(patient()));
        first.awaitBlocked();
        Crew.Member<ReleaseResult> second = crew.start(() -> acquireAndRelease(there, patient()));
        second.awaitBlocked();
        first.interrupt();
        assertThat(first.result()).isInstanceOf(LockOutcome.Interrupted.class);
        lease.close();
        Timed<ReleaseResult> end = timed(second::result);
        assertThat(end.result()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(end.took()).isLessThan(BEFORE_AN_ORPHAN_ENDS);
    }

    private interface Interruptible {
        void run() throws Exception;
    }
}
