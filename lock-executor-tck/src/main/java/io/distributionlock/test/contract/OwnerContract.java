package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;

/** A lock belongs to an owner, which need not be a thread. */
abstract class OwnerContract extends ContractSuite {

    @OnEveryThreadKind
    void asynchronousAttemptsHaveDifferentOwners() throws Exception {
        Lease lease = leaseOf(outcomeOf(here.acquireAsync(once())));
        assertThat(outcomeOf(here.acquireAsync(once()))).isInstanceOf(LockOutcome.Busy.class);
        assertThat(outcomeOf(there.acquireAsync(once()))).isInstanceOf(LockOutcome.Busy.class);
        assertThat(here.attempt(once())).isInstanceOf(LockOutcome.Busy.class);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(here);
    }

    @OnEveryThreadKind
    void ownerCanReenterFromAnyThread() throws Exception {
        LockOwner owner = LockOwner.unique();
        Lease outer = leaseOf(outcomeOf(here.acquireAsync(once(), owner)));
        Lease inner = crew.call(() -> leaseOf(outcomeOf(here.acquireAsync(once(), owner))));
        assertThat(crew.call(inner::release)).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(outer.isValid()).isTrue();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void anotherThreadCanRelease() throws Exception {
        Lease lease = here.acquire(once());
        assertThat(crew.call(() -> {
                    assertThat(lease.isValid()).isTrue();
                    return lease.release();
                }))
                .isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.isValid()).isFalse();
        assertThat(holdsHere()).isZero();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void threadCanAcquireAgainWhatAnotherThreadReleased() throws Exception {
        Lease handedOn = here.acquire(once());
        long token = handedOn.fencingToken();
        crew.call(handedOn::release);
        Lease again = here.acquire(patient());
        assertThat(again.fencingToken()).isGreaterThan(token);
        assertThat(again.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
