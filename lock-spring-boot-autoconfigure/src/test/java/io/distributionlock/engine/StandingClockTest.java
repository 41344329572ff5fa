package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A machine was paused as a whole, and its monotonic clock stood still meanwhile. A lease that is over then looks valid until the
 * backend answers.
 */
class StandingClockTest {

    private static final int LEASE = 60_000;

    private final VirtualEngine virtual = new VirtualEngine();
    private final LockEngine other = virtual.otherProcess("other");
    private final List<String> told = new ArrayList<>();
    private final EngineLease paused = virtual.take("name", LEASE);

    @BeforeEach
    void pauseTheMachine() {
        paused.onLost(lost -> told.add("lost"));
        virtual.standStill(LEASE + 1);
    }

    private EngineLease takeAtAnother() {
        CompletableFuture<LockOutcome> attempt = other.acquire(
                LockRequest.named("name").tryLockTime(Duration.ZERO).build(), LockOwner.unique());
        return VirtualEngine.lease(attempt);
    }

    private void assertLost() {
        assertThat(paused.isValid()).isFalse();
        assertThat(told).containsExactly("lost");
    }

    @Test
    void theNextRenewalFindsTheLossAndLeavesTheSuccessorAlone() {
        EngineLease next = takeAtAnother();
        assertThat(paused.isValid()).as("by a clock that stood still").isTrue();
        virtual.pass(LEASE / 3 + 1_000);
        assertLost();
        assertThat(other.confirm("name", next.hold())).isCompletedWithValue(true);
    }

    @Test
    void aRenewalDoesNotReviveALeaseThatNobodyTookOver() {
        virtual.pass(LEASE / 3 + 1_000);
        assertLost();
    }

    @Test
    void aConfirmationFindsTheLossAtOnce() {
        takeAtAnother();
        assertThat(virtual.engine.confirm("name", paused.hold())).isCompletedWithValue(false);
        assertLost();
    }

    @Test
    void aNewConnectionFindsTheLossAtOnce() {
        takeAtAnother();
        virtual.engine.reconnected();
        assertLost();
    }

    @Test
    void aLateHolderGetsNoTokenAndItsReleaseConcernsNobody() {
        EngineLease next = takeAtAnother();
        assertThat(paused.tokenWithoutWaiting()).isCompletedExceptionally();
        assertLost();
        assertThat(paused.release()).isEqualTo(ReleaseResult.LOST);
        assertThat(other.confirm("name", next.hold())).isCompletedWithValue(true);
    }
}
