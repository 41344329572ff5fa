package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A lease that is not renewed expires, and its holder is notified. */
abstract class ExpiryContract extends ContractSuite {

    private static final Duration SHORT = Duration.ofMillis(500);

    /** A backend's clock may count whole milliseconds. */
    private static final Duration ROUNDING = Duration.ofMillis(5);

    @OnEveryThreadKind
    void fixedLeaseExpiresForAnotherProcess() throws Exception {
        endsByItself(there);
    }

    @OnEveryThreadKind
    void fixedLeaseExpiresForAnotherThread() throws Exception {
        endsByItself(here);
    }

    private void endsByItself(LockTemplate process) throws Exception {
        long start = System.nanoTime();
        Lease lease = here.acquire(fixed(SHORT));
        long token = lease.fencingToken();
        Lease next = crew.call(() -> process.acquire(patient()));
        Duration until = Duration.ofNanos(System.nanoTime() - start);
        assertThat(until).isBetween(SHORT.minus(ROUNDING), SOON);
        assertThat(lease.isValid()).isFalse();
        assertThat(next.fencingToken()).isGreaterThan(token);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(next.isValid()).isTrue();
        assertBusy(here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void remainingTimeRunsDownToZero() {
        Lease lease = here.acquire(fixed(SHORT));
        Duration first = lease.remaining();
        assertThat(first).isLessThanOrEqualTo(SHORT);
        awaitUntil(() -> lease.remaining().compareTo(first) < 0);
        awaitLost(lease);
        assertThat(lease.remaining()).isZero();
        assertThat(holdsHere()).isZero();
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    }

    @OnEveryThreadKind
    void holderNoticesForcedReleaseAndAnotherAcquires() throws Exception {
        for (LockRequest request : List.of(fixed(MAX_TEST_TIME), renewed(MAX_TEST_TIME))) {
            Lease lease = here.acquire(request);
            // Repeated, because the holder's process may still be subscribing to notifications.
            awaitUntil(() -> {
                forceRelease();
                return !lease.isValid();
            });
            assertFreeAtOnce(there);
            assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        }
        assertThat(forceRelease()).isFalse();
    }

    @OnEveryThreadKind
    void eachListenerIsNotifiedOnceAfterTheLoss() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        Lease lease = here.acquire(fixed(SHORT));
        lease.onLost(lost -> {
            throw new IllegalStateException("thrown by a listener on purpose");
        });
        lease.onLost(lost -> heard.add("early, valid " + lost.isValid() + ", same " + (lost == lease)));
        awaitUntil(() -> !heard.isEmpty());
        lease.onLost(lost -> heard.add("late, valid " + lost.isValid()));
        awaitUntil(() -> heard.size() == 2);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(heard).containsExactly("early, valid false, same true", "late, valid false");
    }

    @OnEveryThreadKind
    void releasedLeaseIsNotReportedAsLost() throws Exception {
        Queue<Lease> heard = new ConcurrentLinkedQueue<>();
        Lease lease = here.acquire(fixed(SHORT));
        lease.onLost(heard::add);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        lease.onLost(heard::add);
        // When this later lease expires, the first one would have expired, too.
        Lease later = crew.call(() -> there.acquire(fixed(SHORT)));
        awaitLost(later);
        assertThat(heard).isEmpty();
        assertThat(later.release()).isEqualTo(ReleaseResult.LOST);
    }

    @OnEveryThreadKind
    void formerHolderCanAcquireAgain() throws Exception {
        Lease lost = here.acquire(fixed(SHORT));
        long token = lost.fencingToken();
        awaitLost(lost);
        Lease again = here.acquire(patient());
        assertThat(again.fencingToken()).isGreaterThan(token);
        assertThat(holdsHere()).isEqualTo(1);
        assertThat(lost.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(again.isValid()).isTrue();
        assertBusy(there);
        assertThat(again.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void extendedLeaseLastsLonger() throws Exception {
        Lease lease = here.acquire(fixed(Duration.ofSeconds(1)));
        assertThat(lease.extend(Duration.ofSeconds(60))).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
        assertThat(lease.extend(Duration.ofMillis(1))).isTrue();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20));
        assertThat(crew.call(() -> there.tryAcquire(waiting(Duration.ofMillis(1_500)))))
                .isEmpty();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @OnEveryThreadKind
    void confirmReportsWhetherTheLockIsHeld() throws Exception {
        Lease lease = here.acquire(fixed(MAX_TEST_TIME));
        assertThat(lease.confirm()).isTrue();
        assertThat(lease.remaining()).isLessThan(MAX_TEST_TIME);
        assertThat(forceRelease()).isTrue();
        assertThat(lease.confirm()).isFalse();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        Lease released = here.acquire(patient());
        released.close();
        assertThat(released.confirm()).isFalse();
    }

    @OnEveryThreadKind
    void endedLeaseCannotBeExtended() {
        Lease lost = here.acquire(fixed(SHORT));
        awaitLost(lost);
        assertThat(lost.extend(Duration.ofSeconds(60))).isFalse();
        assertThat(lost.isValid()).isFalse();
        assertThat(lost.release()).isEqualTo(ReleaseResult.LOST);
        Lease released = here.acquire(patient());
        released.close();
        assertThat(released.extend(Duration.ofSeconds(60))).isFalse();
    }

    @OnEveryThreadKind
    void extensionOutOfRangeIsRefused() {
        try (Lease lease = here.acquire(once())) {
            assertThatIllegalArgumentException().isThrownBy(() -> lease.extend(Duration.ZERO));
            assertThatIllegalArgumentException().isThrownBy(() -> lease.extend(Duration.ofDays(366)));
        }
    }
}
