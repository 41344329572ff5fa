package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A renewed lock is held until its release, and no longer. */
abstract class RenewalContract extends ContractSuite {

    private static final Duration LEASE = Duration.ofMillis(900);
    private static final Duration SEVERAL_LEASES = Duration.ofMillis(2_200);

    @OnEveryThreadKind
    void renewedLockOutlivesItsLease() throws Exception {
        Lease lease = here.acquire(renewed(LEASE));
        assertThat(crew.call(() -> there.tryAcquire(waiting(SEVERAL_LEASES)))).isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofNanos(1), LEASE);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void renewalEndsWithTheRelease() throws Exception {
        here.acquire(renewed(LEASE)).close();
        Lease next = crew.call(() -> there.acquire(fixed(LEASE)));
        awaitLost(next);
        assertThat(next.release()).isEqualTo(ReleaseResult.LOST);
        awaitUntil(() -> !here.lock(name).isLocked());
    }

    @OnEveryThreadKind
    void renewalContinuesUntilTheOutermostRelease() throws Exception {
        Lease outer = here.acquire(renewed(LEASE));
        Lease inner = here.acquire(renewed(LEASE));
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        assertThat(crew.call(() -> there.tryAcquire(waiting(SEVERAL_LEASES)))).isEmpty();
        assertThat(outer.isValid()).isTrue();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void fixedReentryDoesNotEndARenewedLock() throws Exception {
        Lease outer = here.acquire(renewed(LEASE));
        Lease inner = here.acquire(fixed(Duration.ofMillis(100)));
        assertThat(crew.call(() -> there.tryAcquire(waiting(SEVERAL_LEASES)))).isEmpty();
        assertThat(outer.isValid()).isTrue();
        inner.close();
        assertThat(outer.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void renewedReentryKeepsAFixedLockUntilItsRelease() throws Exception {
        Lease outer = here.acquire(fixed(LEASE));
        Lease inner = here.acquire(renewed(LEASE));
        assertThat(crew.call(() -> there.tryAcquire(waiting(SEVERAL_LEASES)))).isEmpty();
        assertThat(inner.isValid()).isTrue();
        assertThat(inner.release()).isEqualTo(ReleaseResult.STILL_HELD);
        awaitLost(outer);
        assertThat(outer.release()).isEqualTo(ReleaseResult.LOST);
        assertFreeAtOnce(there);
    }

    @OnEveryThreadKind
    void renewalStopsAtTheMaximumHoldTime() throws Exception {
        Duration most = Duration.ofMillis(1_500);
        LockRequest request = LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .renewedLease(LEASE)
                .maxHoldTime(most)
                .build();
        AtomicBoolean toldLost = new AtomicBoolean();
        Lease lease = here.acquire(request);
        lease.onLost(lost -> toldLost.set(true));
        Timed<Lease> next = timed(() -> crew.call(() -> there.acquire(patient())));
        // Longer than one lease, so it was renewed before.
        assertThat(next.took()).isBetween(most.minusMillis(500), SOON);
        assertThat(lease.isValid()).isFalse();
        awaitUntil(toldLost::get);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(next.result().release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void manyLocksAreRenewed() throws Exception {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            leases.add(here.acquire(
                    LockRequest.named(name(":" + i)).renewedLease(LEASE).build()));
        }
        Lease probe = crew.call(() -> there.acquire(fixed(SEVERAL_LEASES)));
        awaitLost(probe);
        assertThat(leases).allMatch(Lease::isValid);
        assertThat(leases).extracting(Lease::release).containsOnly(ReleaseResult.RELEASED);
        assertThat(probe.release()).isEqualTo(ReleaseResult.LOST);
    }
}
