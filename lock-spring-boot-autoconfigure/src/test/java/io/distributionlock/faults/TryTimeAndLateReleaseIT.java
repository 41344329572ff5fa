package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever waits gives up after its try time, and a late release frees nobody's lock: in one process and in two. */
class TryTimeAndLateReleaseIT extends FaultSuite {

    private Instance second(boolean sameProcess) {
        return sameProcess ? here : there;
    }

    @ParameterizedTest(name = "in the same process: {0}")
    @ValueSource(booleans = {true, false})
    void ofTwoThreadsThatRaceTheSecondGivesUpAfterItsTryTime(boolean sameProcess) throws Exception {
        Duration tryTime = Duration.ofSeconds(1);
        CountDownLatch firstRuns = new CountDownLatch(1);
        CountDownLatch secondGaveUp = new CountDownLatch(1);
        LockRequest request = LockRequest.named(name)
                .tryLockTime(tryTime)
                .holdLockTime(Duration.ofSeconds(60))
                .build();
        CompletableFuture<ReleaseResult> first = start(() -> {
            ObservedLease lease = acquire(here, request);
            firstRuns.countDown();
            secondGaveUp.await();
            assertThat(lease.isValid()).isTrue();
            return lease.release();
        });
        awaitPoint(firstRuns, first);
        long start = System.nanoTime();
        LockOutcome outcome = answeredAttempt(second(sameProcess), request);
        assertThat(since(start)).isBetween(tryTime, tryTime.plus(SOON).plus(SOON));
        assertThat(outcome).isInstanceOfSatisfying(LockOutcome.Busy.class, busy -> {
            assertThat(busy.reason()).isEqualTo(LockFailureReason.BUSY);
            assertThat(busy.waited()).isBetween(tryTime, tryTime.plus(SOON));
        });
        secondGaveUp.countDown();
        assertThat(get(first)).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(second(sameProcess), request).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @ParameterizedTest(name = "in the same process: {0}")
    @ValueSource(booleans = {true, false})
    void aLeaseThatEndsBeforeItsMethodIsReportedAndItsLateReleaseFreesNobodysLock(boolean sameProcess)
            throws Exception {
        Duration lease = Duration.ofSeconds(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        CountDownLatch firstEnded = new CountDownLatch(1);
        long firstStarted = System.nanoTime();
        ObservedLease first = acquire(here, fixed(lease));
        CompletableFuture<ReleaseResult> second = start(() -> {
            ObservedLease own = acquire(second(sameProcess), fixed(LONG_LEASE));
            secondRuns.countDown();
            firstEnded.await();
            assertThat(own.isValid()).isTrue();
            assertThat(own.token()).isGreaterThan(first.token());
            return own.release();
        });
        // The first method takes longer than its lease: the second one begins in the middle of it.
        awaitPoint(secondRuns, second);
        assertThat(since(firstStarted)).isGreaterThan(lease.minusMillis(100));
        assertThat(first.isValid()).isFalse();
        String owner = owner();
        assertThat(first.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(owner()).as("the second one's lock").isEqualTo(owner);
        assertThat(answeredAttempt(newInstance(redis.port()), once())).isInstanceOf(LockOutcome.Busy.class);
        firstEnded.countDown();
        assertThat(get(second)).isEqualTo(ReleaseResult.RELEASED);
    }
}
