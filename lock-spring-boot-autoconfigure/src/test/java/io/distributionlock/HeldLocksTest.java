package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HeldLocksTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final List<String> reported = new ArrayList<>();
    private final LockScope surroundings = new LockScope() {
        @Override
        public EnclosingTransaction enclosingTransaction(Work work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void lost(HeldLocks locks, Lease lease, LossReason reason) {
            reported.add(lease.name());
        }
    };

    private HeldLocks held(OnLost onLost, String... names) {
        List<LockRequest> requests = new ArrayList<>();
        List<Lease> leases = new ArrayList<>();
        for (String name : names) {
            LockRequest request = LockRequest.named(name).onLost(onLost).build();
            requests.add(request);
            LockOutcome outcome = executor.acquire(request, LockOwner.unique()).getNow(null);
            leases.add(((LockOutcome.Acquired) outcome).lease());
        }
        return new HeldLocks(() -> "the work", requests, leases, surroundings);
    }

    @Test
    void theLocksAreHeldUntilEveryHolderHasLetGo() {
        HeldLocks held = held(OnLost.THROW, "a", "b");
        held.retain();
        held.release();
        assertThat(executor.isHeld("a")).isTrue();
        held.release();
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @Test
    void theResultAndTheExceptionOfTheWorkPassThrough() throws Exception {
        assertThat(held(OnLost.THROW, "a").runAndRelease(null, () -> "result")).isEqualTo("result");
        IllegalStateException failure = new IllegalStateException("the work failed");
        assertThatThrownBy(() -> held(OnLost.THROW, "a").runAndRelease(null, () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @Test
    void aLossDiscardsTheResultAndKeepsTheFailureAsSuppressed() {
        IllegalStateException failure = new IllegalStateException("the work failed");
        assertThatThrownBy(() -> held(OnLost.THROW, "a").runAndRelease(null, () -> {
                    executor.leases().get(0).lose();
                    throw failure;
                }))
                .isInstanceOf(LockLostException.class)
                .hasSuppressedException(failure);
        assertThat(reported).containsExactly("a");
    }

    @Test
    void aLossIsReportedOnce() {
        HeldLocks held = held(OnLost.REPORT, "a", "b");
        executor.leases().get(1).lose();
        assertThatThrownBy(held::requireValid).isInstanceOf(LockLostException.class);
        assertThat(held.releaseAndFindLoss()).isNull();
        assertThat(reported).containsExactly("b");
    }

    @Test
    void aLossFoundByTheReleaseIsThrown() {
        executor.nextRelease(ReleaseResult.LOST);
        assertThat(held(OnLost.THROW, "a").releaseAndFindLoss()).isInstanceOf(LockLostException.class);
        assertThat(reported).containsExactly("a");
    }

    @Test
    void aLossInterruptsTheWorkAndNothingAfterIt() {
        HeldLocks held = held(OnLost.INTERRUPT, "a");
        held.run(() -> {
            executor.leases().get(0).lose();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            return null;
        });
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void aReleaseThatFailsDoesNotReachTheCaller() {
        HeldLocks held = held(OnLost.THROW, "a");
        HeldLocks failing = new HeldLocks(
                () -> "the work",
                List.of(LockRequest.named("a").build()),
                List.of(new UnreleasableLease(held.leases().get(0))),
                surroundings);
        assertThat(failing.releaseAndFindLoss()).isNull();
    }

    private record UnreleasableLease(Lease lease) implements Lease {

        @Override
        public String name() {
            return lease.name();
        }

        @Override
        public long fencingToken() {
            return lease.fencingToken();
        }

        @Override
        public boolean isValid() {
            return lease.isValid();
        }

        @Override
        public Duration remaining() {
            return lease.remaining();
        }

        @Override
        public boolean extend(Duration holdLockTime) {
            return lease.extend(holdLockTime);
        }

        @Override
        public void onLost(Consumer<? super Lease> listener) {
            lease.onLost(listener);
        }

        @Override
        public ReleaseResult release() {
            throw new IllegalStateException("no answer");
        }
    }

    private HeldLocks unconfirmed(OnLost onLost, boolean... confirmed) {
        List<LockRequest> requests = new ArrayList<>();
        List<Lease> leases = new ArrayList<>();
        for (boolean confirms : confirmed) {
            LockRequest request = LockRequest.named("name" + requests.size())
                    .onLost(onLost)
                    .confirmRelease(confirms)
                    .build();
            requests.add(request);
            LockOutcome outcome = executor.acquire(request, LockOwner.unique()).getNow(null);
            leases.add(((LockOutcome.Acquired) outcome).lease());
        }
        executor.withholdReleases();
        return new HeldLocks(() -> "the work", requests, leases, surroundings);
    }

    @Test
    void aReleaseThatNeedsNoConfirmationIsNotWaitedFor() throws Exception {
        assertThat(unconfirmed(OnLost.THROW, false).runAndRelease(null, () -> "one"))
                .isEqualTo("one");
        assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(1);
        assertThat(unconfirmed(OnLost.THROW, false, false).runAndRelease(null, () -> "two"))
                .isEqualTo("two");
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
        assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(2);
        assertThat(reported).isEmpty();
    }

    @Test
    void anAsynchronousReleaseThatNeedsNoConfirmationIsNotWaitedForEither() {
        assertThat(unconfirmed(OnLost.THROW, false).releaseAndFindLossAsync()).isCompletedWithValue(null);
        assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(1);
    }

    @Test
    void aLossThatTheAnswerShowsIsReportedLater() throws Exception {
        unconfirmed(OnLost.THROW, false, false).runAndRelease(null, () -> "done");
        assertThat(reported).isEmpty();
        executor.answerReleases(ReleaseResult.LOST);
        assertThat(reported).containsExactlyInAnyOrder("name0", "name1");
    }

    @Test
    void aLossThatIsKnownBeforeIsStillThrown() {
        HeldLocks held = unconfirmed(OnLost.THROW, false);
        assertThatThrownBy(() -> held.runAndRelease(null, () -> {
                    executor.leases().get(0).lose();
                    return "done";
                }))
                .isInstanceOf(LockLostException.class);
        executor.answerReleases(ReleaseResult.LOST);
        assertThat(reported).containsExactly("name0");
    }

    @Test
    void oneThatNeedsConfirmationMakesAllWait() {
        CompletableFuture<LockLostException> released =
                unconfirmed(OnLost.REPORT, false, true).releaseAndFindLossAsync();
        assertThat(released).isNotDone();
        executor.answerReleases(ReleaseResult.RELEASED);
        assertThat(released).isCompletedWithValue(null);
    }
}
