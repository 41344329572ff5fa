package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.engine.ActiveNames;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis takes commands and answers none for longer than the command timeout; then it runs them all. */
@Tag("server")
class SilentRedisIT extends FaultSuite {

    private static final Duration PAUSE = Duration.ofSeconds(4);

    private void silence(Duration time) {
        redis.command("CLIENT", "PAUSE", String.valueOf(time.toMillis()), "ALL");
    }

    @Test
    void anAcquireWithoutAnswerFailsInTimeAndLeavesNothingWhenItRunsAfterAll() throws Exception {
        long start = System.nanoTime();
        silence(PAUSE);
        LockOutcome outcome = here.locks().attempt(renewed(LONG_LEASE));
        assertThat(since(start)).isBetween(COMMAND_TIMEOUT, SOON);
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LockOutcome.BackendFailed.class,
                        failed -> assertThat(failed.cause())
                                .isInstanceOf(TimeoutException.class)
                                .hasMessageContaining("distribution-lock.redis.command-timeout"));
        assertThat(ActiveNames.of(here.executor())).isZero();
        // Had the acquire left its lock behind, it would last for minutes.
        awaitTime(PAUSE, start);
        assertThat(acquire(there, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aQuestionWithoutAnswerFailsInTimeAndSaysHowLongItWaited() {
        long start = System.nanoTime();
        silence(PAUSE);
        assertThat(here.executor().isLocked(name))
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockBackendException.class)
                .withMessageContaining("distribution-lock.redis.command-timeout");
        awaitTime(PAUSE, start);
        assertThat(acquire(there, once()).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void whoHasHeardThatTheLockIsBusyGoesOnWaiting() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        long start = System.nanoTime();
        silence(PAUSE);
        awaitTime(PAUSE, start);
        assertThat(waiter).isNotDone();
        assertThat(held.isValid()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aReleaseWithoutAnswerIsUnconfirmedAndRepeatedUntilTheLockIsFree() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        long start = System.nanoTime();
        silence(PAUSE);
        assertThat(held.release()).isEqualTo(ReleaseResult.UNCONFIRMED);
        assertThat(since(start)).isBetween(COMMAND_TIMEOUT, SOON);
        assertThat(held.isValid()).isFalse();
        ObservedLease next = get(waiter, PAUSE.plus(SOON));
        assertThat(next.token()).isGreaterThan(held.token());
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aRenewedLockSurvivesASilenceThatIsShorterThanItsLease() {
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(12)));
        // The first renewal is due after 4 s, and is without an answer for longer than the command timeout.
        Duration silence = Duration.ofSeconds(7);
        long start = System.nanoTime();
        silence(silence);
        awaitTime(silence, start);
        eventually().until(() -> held.lease().remaining().compareTo(Duration.ofSeconds(6)) > 0);
        assertThat(held.isValid()).isTrue();
        assertStillHeld(held, there);
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aRenewedLockIsLostByTheHoldersOwnClockWhenTheSilenceIsLonger() throws Exception {
        Queue<LossReason> lost = new ConcurrentLinkedQueue<>();
        ObservedLease held = acquire(here, renewed(Duration.ofMillis(1_500)));
        held.lease().onLost(lease -> lost.add(lease.lossReason()));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        silence(PAUSE);
        eventually().until(() -> !held.isValid());
        eventually().untilAsserted(() -> assertThat(lost).containsExactly(LossReason.NO_ANSWER));
        ObservedLease next = get(waiter, PAUSE.plus(SOON));
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
