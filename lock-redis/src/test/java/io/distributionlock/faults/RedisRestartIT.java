package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Redis dies, and comes back knowing nothing. */
@Tag("server")
class RedisRestartIT extends FaultSuite {

    private final Queue<String> lost = new ConcurrentLinkedQueue<>();

    @Test
    void aRestartEmptyIsNoticedAtOnceByEveryHolderAndEveryWaiter() throws Exception {
        String fixedName = name + ":fixed";
        String remoteName = name + ":remote";
        RemoteInstance remote = newRemote();
        // No renewal of these is due before the test ends, so that nothing but the reconnect can tell.
        ObservedLease renewed = acquire(here, renewed(LONG_LEASE));
        ObservedLease fixed = acquire(here, fixed(fixedName, LONG_LEASE));
        Turn remoteFixed = remote.acquire("fixed", fixed(remoteName, LONG_LEASE));
        renewed.lease().onLost(lease -> lost.add("renewed"));
        fixed.lease().onLost(lease -> lost.add("fixed"));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiterForFixed = startWaiting(there, fixed(fixedName, LONG_LEASE));
        CompletableFuture<ObservedLease> waiterForRemote = startWaiting(here, renewed(remoteName, LONG_LEASE));

        dataWillBeLost();
        redis.kill();
        // Longer than the command timeout: the waiters' commands fail meanwhile.
        awaitTime(COMMAND_TIMEOUT.plusMillis(500), System.nanoTime());
        assertThat(waiter).isNotDone();
        redis.startAgain();

        eventually().untilAsserted(() -> assertThat(lost).containsExactlyInAnyOrder("renewed", "fixed"));
        remote.awaitLost("fixed");
        assertThat(renewed.isValid()).isFalse();
        assertThat(fixed.isValid()).isFalse();
        ObservedLease next = get(waiter, SOON);
        ObservedLease nextFixed = get(waiterForFixed, SOON);
        ObservedLease nextRemote = get(waiterForRemote, SOON);
        assertThat(next.token()).isGreaterThan(renewed.token());
        assertThat(nextFixed.token()).isGreaterThan(fixed.token());
        assertThat(nextRemote.token()).isGreaterThan(remoteFixed.token());

        assertThat(renewed.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(fixed.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(remote.release("fixed")).isEqualTo(ReleaseResult.LOST);
        assertThat(next.isValid()).isTrue();
        assertStillHeld(next, here);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(nextFixed.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(nextRemote.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void wakingWorksAgainAfterARestart() throws Exception {
        ObservedLease held = acquire(here, renewed(LONG_LEASE));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        dataWillBeLost();
        redis.kill();
        redis.startAgain();
        ObservedLease first = get(waiter, SOON);
        // Its process may be connected later than the other one.
        eventually().until(() -> !held.isValid());
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        CompletableFuture<ObservedLease> second = startWaiting(here, renewed(LONG_LEASE));
        eventually()
                .untilAsserted(() -> assertThat(redis.command("PUBSUB", "CHANNELS"))
                        .asString()
                        .contains("distribution-lock:wake:"));
        assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(get(second, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void anAttemptWhileRedisIsDeadFailsInBoundedTimeAndTheNextOneAfterItsReturnSucceeds() {
        redis.kill();
        long start = System.nanoTime();
        LockOutcome outcome = here.locks().attempt(renewed(LONG_LEASE));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        LockOutcome.BackendFailed.class,
                        failed -> assertThat(failed.reason()).isEqualTo(LockFailureReason.BACKEND_FAILED));
        assertThat(since(start)).isLessThan(COMMAND_TIMEOUT.plus(SOON));
        redis.startAgain();
        eventually()
                .until(() -> here.locks().attempt(once()) instanceof LockOutcome.Acquired acquired
                        && acquired.lease().release() == ReleaseResult.RELEASED);
        there.awaitLocks();
        assertThat(acquire(there, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aRunningRenewedHolderLosesItsLockByItsOwnClockWhileRedisIsDead() {
        ObservedLease held = acquire(here, renewed(Duration.ofMillis(1_500)));
        held.lease().onLost(lease -> lost.add("renewed"));
        redis.kill();
        eventually().until(() -> !held.isValid());
        eventually().until(() -> lost.contains("renewed"));
        assertThat(held.lease().remaining()).isZero();
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
        redis.startAgain();
    }
}
