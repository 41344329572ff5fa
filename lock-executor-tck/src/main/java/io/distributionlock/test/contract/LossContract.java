package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockLostException;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** After a loss, no view reports that the thread holds the lock or acquires it anew, until the thread has unlocked every lost hold. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about what happens between lock and unlock.
abstract class LossContract extends ContractSuite {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(5);

    private interface Way {
        void lock(DistributedLock lock) throws InterruptedException;
    }

    private static Map<String, Way> waysOfLocking() {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("tryLock", DistributedLock::tryLock);
        ways.put("tryLock(time)", lock -> lock.tryLock(1, TimeUnit.SECONDS));
        ways.put("tryLock(time, hold)", lock -> lock.tryLock(Duration.ofSeconds(1), LONG));
        ways.put("lock", DistributedLock::lock);
        ways.put("lock(hold)", lock -> lock.lock(LONG));
        ways.put("lockInterruptibly", DistributedLock::lockInterruptibly);
        return ways;
    }

    /** Views of the lock from two templates and of all supported kinds. */
    private List<DistributedLock> views(LockExecutor executor) {
        List<DistributedLock> views = new ArrayList<>();
        for (LockTemplate template : List.of(
                new LockTemplate(executor, LockDefaults.STANDARD), new LockTemplate(executor, LockDefaults.STANDARD))) {
            for (LockKind kind : lockKinds()) {
                if (executor.kinds().contains(kind)) {
                    views.add(template.lock(name, kind));
                }
            }
        }
        return views;
    }

    private static void assertLost(ThrowingCallable call, String description) {
        assertThatExceptionOfType(LockLostException.class).as(description).isThrownBy(call);
    }

    private void assertNothingStartsAnew(LockExecutor executor) {
        for (DistributedLock view : views(executor)) {
            assertThat(view.holdCount()).as("holdCount of " + view).isZero();
            assertThat(view.isHeldByCurrentThread())
                    .as("isHeldByCurrentThread of " + view)
                    .isFalse();
            assertThat(view.confirm()).as("confirm of " + view).isFalse();
            assertThat(view.extend(LONG)).as("extend of " + view).isFalse();
            waysOfLocking().forEach((way, lock) -> assertLost(() -> lock.lock(view), way + " of " + view));
        }
    }

    /** For a lock that is held twice: loses it and checks every answer. */
    private void everyAnswerIsTrue(LockExecutor executor, DistributedLock lock, ThrowingCallable loss)
            throws Exception {
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(lock.confirm()).isTrue();
        assertThatCode(loss).doesNotThrowAnyException();
        awaitUntil(() -> !lock.isHeldByCurrentThread());
        // While the lock is free:
        assertNothingStartsAnew(executor);
        Lease other = crew.call(() -> there.acquire(patient()));
        // While another thread holds it:
        assertNothingStartsAnew(executor);
        assertLost(lock::unlock, "the first unlock");
        // While one of the two holds is still to be unlocked:
        assertNothingStartsAnew(executor);
        assertLost(lock::unlock, "the second unlock");
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .as("the third unlock")
                .isThrownBy(lock::unlock);
        // On a thread that never held it:
        crew.call(() -> {
            assertThat(lock.holdCount()).isZero();
            assertThat(lock.confirm()).isFalse();
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
            return null;
        });
        assertThat(other.confirm()).as("nobody's unlock freed the other's lock").isTrue();
        assertThat(other.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    private static void assertBeginsAnew(DistributedLock lock) throws InterruptedException {
        assertThat(lock.tryLock(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @OnEveryThreadKind
    void afterForcedRelease() throws Exception {
        LockExecutor executor = newExecutor();
        DistributedLock lock = new LockTemplate(executor, LockDefaults.STANDARD).lock(name);
        lock.lock();
        lock.lock();
        everyAnswerIsTrue(executor, lock, this::forceRelease);
        assertBeginsAnew(lock);
    }

    @OnEveryThreadKind
    void afterExpiry() throws Exception {
        LockExecutor executor = newExecutor();
        DistributedLock lock = new LockTemplate(executor, LockDefaults.STANDARD).lock(name);
        lock.lock(Duration.ofSeconds(3));
        assertThat(lock.tryLock(Duration.ZERO, SHORT)).isTrue();
        everyAnswerIsTrue(executor, lock, () -> {});
        assertBeginsAnew(lock);
    }

    @OnEveryThreadKind
    void afterTheExecutorHasStopped() throws Exception {
        LockExecutor executor = newExecutor();
        DistributedLock lock = new LockTemplate(executor, LockDefaults.STANDARD).lock(name);
        lock.lock();
        lock.lock();
        everyAnswerIsTrue(executor, lock, () -> executor.stop(Duration.ZERO));
    }

    @OnEveryThreadKind
    void templateCanAcquireAgainButAViewCannot() throws Exception {
        LockExecutor executor = newExecutor();
        LockTemplate template = new LockTemplate(executor, LockDefaults.STANDARD);
        DistributedLock lock = template.lock(name);
        lock.lock();
        forceRelease();
        awaitUntil(() -> !lock.isHeldByCurrentThread());
        // A lease of another acquisition is valid. The holds of the view stay lost beside it.
        template.execute(name, () -> {
            assertThat(template.holdCount(name, LockOwner.currentThread())).isEqualTo(1);
            assertNothingStartsAnew(executor);
            return null;
        });
        assertLost(lock::unlock, "the unlock");
        // Inside of lost work a view can lock anew, because the work knows of its loss by its lease.
        try (Lease lost = template.acquire(fixed(SHORT))) {
            awaitLost(lost);
            assertBeginsAnew(lock);
            assertThat(lost.isValid()).isFalse();
        }
    }

    /** By the clock alone, and as the listener hears it. */
    @OnEveryThreadKind
    void expiredLeaseSaysSo() throws Exception {
        Lease lease = here.acquire(fixed(SHORT));
        CompletableFuture<LossReason> heard = new CompletableFuture<>();
        lease.onLost(lost -> heard.complete(lost.lossReason()));
        awaitLost(lease);
        assertLossReason(lease, LossReason.EXPIRED);
        assertThat(heard.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(lease.lossReason());
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertLossReason(lease, LossReason.EXPIRED);
    }

    @OnEveryThreadKind
    void renewedLeaseThatReachesItsMaximumHasExpired() throws Exception {
        Lease lease = here.acquire(LockRequest.named(name)
                .tryLockTime(MAX_TEST_TIME)
                .renewedLease(LONG)
                .maxHoldTime(SHORT)
                .build());
        awaitLost(lease);
        assertLossReason(lease, LossReason.EXPIRED);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    }

    /** A process without messages only finds that the lock is gone. */
    @OnEveryThreadKind
    void forcedReleaseIsTold() throws Exception {
        Lease lease = here.acquire(once());
        forceRelease();
        awaitLost(lease);
        assertLossReason(lease, LossReason.FORCED, LossReason.GONE);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    }

    @OnEveryThreadKind
    void lossThatTheReleaseFindsIsTold() throws Exception {
        Lease lease = here.acquire(once());
        forceRelease();
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
        assertLossReason(lease, LossReason.FORCED, LossReason.GONE);
    }

    @OnEveryThreadKind
    void stopOfTheExecutorIsTold() {
        LockExecutor executor = newExecutor();
        Lease lease = new LockTemplate(executor, LockDefaults.STANDARD).acquire(once());
        executor.stop(Duration.ZERO);
        awaitLost(lease);
        assertLossReason(lease, LossReason.STOPPED);
    }

    @OnEveryThreadKind
    void unlockTellsTheReason() throws Exception {
        DistributedLock lock = here.lock(name);
        lock.lock(SHORT);
        awaitUntil(() -> !lock.isHeldByCurrentThread());
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(lost -> assertThat(lost.reason()).isIn(LossReason.EXPIRED, LossReason.UNKNOWN));
    }

    @OnEveryThreadKind
    void lostLeaseStaysLost() throws Exception {
        Lease lost = here.acquire(once());
        Lease inner = here.acquire(once());
        forceRelease();
        awaitLost(lost);
        Lease again = here.acquire(patient());
        for (Lease each : List.of(lost, inner)) {
            assertThat(each.isValid()).isFalse();
            assertThat(each.remaining()).isZero();
            assertThat(each.confirm()).isFalse();
            assertThat(each.extend(LONG)).isFalse();
            assertThat(crew.call(each::release)).isEqualTo(ReleaseResult.LOST);
            assertThat(each.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        }
        assertThat(holdsHere()).isEqualTo(1);
        assertThat(again.confirm()).isTrue();
        assertThat(again.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
