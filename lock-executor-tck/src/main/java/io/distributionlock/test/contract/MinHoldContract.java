package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.List;

/** A lock with a minimum hold time stays unavailable that long, even when it is released earlier. */
abstract class MinHoldContract extends ContractSuite {

    private static final Duration MIN_HOLD = Duration.ofMillis(1_200);
    private static final Duration ROUNDING = Duration.ofMillis(5);

    @OnEveryThreadKind
    void lockReleasedEarlyStaysUnavailable() throws Exception {
        long start = System.nanoTime();
        Lease lease = here.acquire(keptAtLeast(MIN_HOLD));
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.isValid()).isFalse();
        assertThat(holdsHere()).isZero();
        LockOutcome sameThread = here.attempt(once());
        LockOutcome otherThread = crew.call(() -> here.attempt(once()));
        LockOutcome otherProcess = crew.call(() -> there.attempt(once()));
        if (since(start).compareTo(MIN_HOLD) < 0) {
            // Otherwise the machine was too slow, and the lock may be free by now.
            assertThat(List.of(sameThread, otherThread, otherProcess)).hasOnlyElementsOfType(LockOutcome.Busy.class);
        }
        closeIfAcquired(sameThread, otherThread, otherProcess);
        Lease next = crew.call(() -> there.acquire(patient()));
        assertThat(since(start)).isBetween(MIN_HOLD.minus(ROUNDING), SOON);
        next.close();
    }

    @OnEveryThreadKind
    void waitersOfAllProcessesWaitForTheMinimum() throws Exception {
        for (LockTemplate process : List.of(here, there)) {
            long start = System.nanoTime();
            Lease lease = here.acquire(keptAtLeast(MIN_HOLD));
            Crew.Member<ReleaseResult> waiter = crew.start(() -> acquireAndRelease(process, patient()));
            waiter.awaitBlocked();
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(waiter.result()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(since(start)).isBetween(MIN_HOLD.minus(ROUNDING), SOON);
        }
    }

    @OnEveryThreadKind
    void elapsedMinimumChangesNothing() throws Exception {
        Lease lease = here.acquire(keptAtLeast(Duration.ofMillis(1)));
        assertThat(crew.call(() -> there.tryAcquire(waiting(Duration.ofMillis(50)))))
                .isEmpty();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void waivedMinimumFreesAtOnce() throws Exception {
        Lease lease = here.acquire(keptAtLeast(MAX_TEST_TIME));
        lease.waiveMinHoldTime();
        assertBusy(there);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void waivedMinimumOfOneHoldLeavesThatOfAnother() throws Exception {
        long start = System.nanoTime();
        Lease outer = here.acquire(keptAtLeast(MAX_TEST_TIME));
        Lease inner = here.acquire(keptAtLeast(MIN_HOLD));
        outer.waiveMinHoldTime();
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = crew.call(() -> there.acquire(patient()));
        assertThat(since(start)).isBetween(MIN_HOLD.minus(ROUNDING), SOON);
        next.close();
    }

    private LockRequest keptAtLeast(Duration least) {
        return LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .minHoldTime(least)
                .build();
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void closeIfAcquired(LockOutcome... outcomes) {
        for (LockOutcome outcome : outcomes) {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                acquired.lease().close();
            }
        }
    }
}
