package io.distributionlock.test;

import static io.distributionlock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("boot4")
class ScriptedLockExecutorTest {

    @AutoClose
    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    private LockOutcome attempt(String name) {
        return locks.attempt(
                locks.request(name).tryLockTime(Duration.ofSeconds(7)).build());
    }

    @Test
    void whatNoScriptSpeaksOfIsLockedForReal() {
        LockOutcome outcome = attempt("a");
        assertThat(outcome).isAcquired().lease().hasName("a").isValid().lastsAtLeast(Duration.ofSeconds(30));
        assertThat(executor).isHeld("a").isFree("b");
        release(outcome);
        assertThat(executor).isFree("a");
    }

    @Test
    void eachEndingCanBeScripted() {
        executor.when("busy").busy();
        executor.when("interrupted").interrupted();
        executor.when("failed").backendFails();
        assertThat(attempt("busy")).isBusy().isEqualTo(new LockOutcome.Busy(Duration.ofSeconds(7)));
        assertThat(attempt("interrupted")).isInterrupted();
        assertThat(attempt("failed")).isBackendFailed();
        assertThat(executor).isFree("busy").wasAskedFor("busy", "interrupted", "failed");
    }

    @Test
    void aBusyLockThatRefusesRepeatsIsARepeat() {
        executor.when("submit").busy();
        LockRequest submit =
                locks.request("submit").refuseRepeats(Duration.ofSeconds(5)).build();
        assertThatThrownBy(() -> locks.execute(submit, () -> "created"))
                .isInstanceOf(LockNotAcquiredException.class)
                .extracting("reason")
                .isEqualTo(LockFailureReason.REPEATED);
    }

    @Test
    void aCauseCanBeGiven() {
        IllegalStateException cause = new IllegalStateException("NOAUTH");
        executor.when("failed").backendFails(cause);
        assertThat(attempt("failed")).isEqualTo(new LockOutcome.BackendFailed(Duration.ZERO, cause));
    }

    @Test
    void aScriptForTheNextAttemptEndsWithIt() {
        executor.whenNext("a").busy();
        assertThat(attempt("b")).isAcquired();
        assertThat(attempt("a")).isBusy();
        assertThat(attempt("a")).isAcquired();
    }

    @Test
    void theScriptGivenLastWins() {
        executor.whenAny().busy();
        executor.when("a").granted();
        assertThat(attempt("a")).isAcquired();
        assertThat(attempt("b")).isBusy();
        executor.when(request -> request.tryLockTime().isZero()).backendFails();
        assertThat(attempt("b")).isBusy();
        assertThat(locks.attempt(
                        LockRequest.named("a").tryLockTime(Duration.ZERO).build()))
                .isBackendFailed();
    }

    @Test
    void aLeaseCanBeLostAtOnceOrLater() {
        executor.whenNext("a").grantedAndLost();
        assertThat(attempt("a")).isInstanceOf(LockOutcome.Lost.class);

        Lease lease = locks.acquire("a");
        assertThat(lease).isValid();
        assertThat(executor.lose("a")).isTrue();
        assertThat(lease).isNotValid();
        assertThat(lease.lossReason()).isEqualTo(LossReason.EXPIRED);
        assertThat(executor.lose("a")).isFalse();

        Lease paused = locks.acquire("a");
        assertThat(executor.lose("a", LossReason.PAUSED)).isTrue();
        assertThat(paused.lossReason()).isEqualTo(LossReason.PAUSED);
    }

    @Test
    void aLostAttemptThatFindsTheLockBusyStaysBusy() throws Exception {
        Lease held = locks.acquire("a");
        executor.whenNext("a").grantedAndLost();
        Thread other = new Thread(() -> assertThat(locks.tryAcquire(
                        locks.request("a").tryLockTime(Duration.ZERO).build()))
                .isEqualTo(Optional.empty()));
        Throwable[] failure = new Throwable[1];
        other.setUncaughtExceptionHandler((thread, thrown) -> failure[0] = thrown);
        other.start();
        other.join();
        assertThat(failure[0]).isNull();
        assertThat(held).isValid();
    }

    @Test
    void resettingForgetsScriptsAndRequestsButNotLocks() {
        executor.whenAny().busy();
        attempt("a");
        executor.reset();
        assertThat(executor).wasNotAsked();
        assertThat(attempt("a")).isAcquired();
        executor.reset();
        assertThat(executor).isHeld("a");
    }

    @Test
    void assertionsThatFailSayWhatWasExpectedAndWhatIs() {
        LockOutcome outcome = attempt("a");
        assertThatThrownBy(() -> assertThat(outcome).isBusy()).hasMessageContaining("to end with Busy");
        assertThatThrownBy(() -> assertThat(outcome).lease().isNotValid()).hasMessageContaining("lock 'a' to be over");
        assertThatThrownBy(() -> assertThat(outcome).lease().hasName("b")).hasMessageContaining("that of 'a'");
        assertThatThrownBy(() -> assertThat(outcome).lease().lastsAtLeast(Duration.ofDays(2)))
                .hasMessageContaining("to last PT48H or longer");
        assertThatThrownBy(() -> assertThat(executor).isFree("a")).hasMessageContaining("but it is held");
        assertThatThrownBy(() -> assertThat(executor).isHeld("b")).hasMessageContaining("but it is free");
        assertThatThrownBy(() -> assertThat(executor).wasAskedFor("b")).hasMessageContaining("they were: [a]");
        release(outcome);
        assertThatThrownBy(() -> assertThat(outcome).lease().isValid()).hasMessageContaining("lost or released");
        executor.when("c").busy();
        assertThatThrownBy(() -> assertThat(attempt("c")).lease()).hasMessageContaining("to end with Acquired");
    }

    private static void release(LockOutcome outcome) {
        ((LockOutcome.Acquired) outcome).lease().release();
    }
}
