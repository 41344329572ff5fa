package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;

/** A cancelled attempt does not hold the lock and never will. */
abstract class CancellationContract extends ContractSuite {

    private static final int RACES = 60;

    @OnEveryThreadKind
    void cancelledAttemptLeavesNothingBehind() throws Exception {
        Lease lease = here.acquire(once());
        for (LockTemplate process : List.of(here, there)) {
            CompletableFuture<LockOutcome> attempt = process.acquireAsync(patient());
            assertThat(attempt).isNotDone();
            assertThat(attempt.cancel(true)).isTrue();
            assertThat(attempt).isCancelled();
        }
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
        assertFreeAtOnce(here);
    }

    @OnEveryThreadKind
    void acquiredLockCannotBeCancelled() throws Exception {
        CompletableFuture<LockOutcome> attempt = here.acquireAsync(patient());
        Lease lease = leaseOf(outcomeOf(attempt));
        assertThat(attempt.cancel(true)).isFalse();
        assertThat(attempt).isNotCancelled();
        assertThat(lease.isValid()).isTrue();
        assertBusy(there);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void waitersBehindACancelledOneMoveUp() throws Exception {
        Lease lease = here.acquire(once());
        CompletableFuture<LockOutcome> first = there.acquireAsync(patient());
        CompletableFuture<LockOutcome> second = there.acquireAsync(patient());
        CompletableFuture<LockOutcome> third = there.acquireAsync(patient());
        assertThat(first.cancel(true)).isTrue();
        assertThat(second.cancel(true)).isTrue();
        lease.close();
        Timed<LockOutcome> end = timed(() -> outcomeOf(third));
        assertThat(end.took()).isLessThan(BEFORE_AN_ORPHAN_ENDS);
        assertThat(leaseOf(end.result()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void cancelRacingWithReleaseLosesNoLock() throws Exception {
        for (int i = 0; i < RACES; i++) {
            LockTemplate process = i % 2 == 0 ? here : there;
            Lease lease = here.acquire(patient());
            CompletableFuture<LockOutcome> attempt = process.acquireAsync(patient());
            CyclicBarrier start = new CyclicBarrier(2);
            Crew.Member<Boolean> canceller = crew.start(() -> {
                start.await();
                return attempt.cancel(true);
            });
            start.await();
            assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
            if (canceller.result()) {
                assertThat(attempt).isCancelled();
            } else {
                assertThat(leaseOf(outcomeOf(attempt)).release()).isEqualTo(ReleaseResult.RELEASED);
            }
            assertFreeAtOnce(process == here ? there : here);
        }
    }
}
