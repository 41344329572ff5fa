package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;

/** The holder of a lock can acquire it again. */
abstract class ReentryContract extends ContractSuite {

    @OnEveryThreadKind
    void holderReentersAndTheLastReleaseFrees() throws Exception {
        Lease outer = here.acquire(once());
        Lease middle = here.acquire(once());
        Lease inner = here.acquire(once());
        assertThat(holdsHere()).isEqualTo(3);
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(middle.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(holdsHere()).isEqualTo(1);
        assertBusy(here);
        assertBusy(there);
        assertThat(outer.isValid()).isTrue();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(holdsHere()).isZero();
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void holderThatRefusesToReenterFailsWithoutWaiting() throws Exception {
        LockRequest never = LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .refuseReentry()
                .build();
        Lease outer = here.acquire(never);
        assertThat(here.attempt(never))
                .isInstanceOfSatisfying(
                        LockOutcome.Busy.class,
                        busy -> assertThat(busy.byOwner()).isTrue());
        assertThat(holdsHere()).isEqualTo(1);
        here.acquire(once()).close();
        assertThat(outer.isValid()).isTrue();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void orderOfReleasesDoesNotMatter() throws Exception {
        Lease outer = here.acquire(once());
        Lease inner = here.acquire(once());
        assertThat(outer.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(outer.isValid()).isFalse();
        assertThat(inner.isValid()).isTrue();
        assertBusy(there);
        assertThat(inner.release()).isEqualTo(ReleaseResult.RELEASED);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void leaseIsReleasedOnlyOnce() throws Exception {
        Lease outer = here.acquire(once());
        Lease inner = here.acquire(once());
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(inner.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        inner.close();
        assertThat(holdsHere()).isEqualTo(1);
        assertBusy(there);
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(outer.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThat(outer.isValid()).isFalse();
        assertThat(outer.remaining()).isZero();
    }

    @OnEveryThreadKind
    void secondReleaseDoesNotFreeTheNextHolder() throws Exception {
        Lease first = here.acquire(once());
        first.close();
        Lease next = crew.call(() -> there.acquire(once()));
        assertThat(first.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThat(next.isValid()).isTrue();
        assertBusy(here);
        next.close();
    }

    @OnEveryThreadKind
    void sameThreadInAnotherProcessIsAnotherHolder() {
        try (Lease lease = here.acquire(once())) {
            assertThat(lease.isValid()).isTrue();
            assertThat(there.tryAcquire(once())).isEmpty();
        }
    }

    @OnEveryThreadKind
    void nestedSectionsDoNotDeadlock() throws Exception {
        String result = nested(here, 20);
        assertThat(result).isEqualTo("innermost");
        assertFreeAtOnce(there);
    }

    private String nested(LockTemplate process, int depth) {
        return depth == 0 ? "innermost" : process.execute(once(), () -> nested(process, depth - 1));
    }
}
