package io.distributionlock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of the protocol, one by one, on a clock that the test moves. */
class LocalBackendTest {

    private static final String NAME = "order:1";
    private static final long START_MICROS = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final LocalBackend backend = new LocalBackend(nanos::get, START_MICROS, Runnable::run);
    private final RecordingListener a = new RecordingListener();
    private final RecordingListener b = new RecordingListener();
    private CommandPort portOfB;

    @BeforeEach
    void connectTwoProcesses() {
        CommandPort portOfA = LocalCommandPort.connect(backend, "a");
        portOfA.attach(a);
        portOfA.listen();
        portOfB = LocalCommandPort.connect(backend, "b");
        portOfB.attach(b);
        portOfB.listen();
        a.heard.clear();
        b.heard.clear();
    }

    @Test
    void aFreeLockIsTakenAndForgottenWhenItIsReleased() {
        assertThat(acquire("a:1", 500)).isEqualTo(new AcquireReply.Ok(START_MICROS, 0));
        assertThat(backend.isLocked(NAME)).isTrue();
        assertThat(release("a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(backend.isLocked(NAME)).isFalse();
        assertThat(backend.namesInUse()).isEmpty();
        assertThat(a.heard).isEmpty();
    }

    @Test
    void anotherClaimIsBusyAndTold() {
        acquire("a:1", 500);
        passMillis(100);
        assertThat(acquire("b:1", 500)).isEqualTo(new AcquireReply.Busy(400, START_MICROS));
        assertThat(release("b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(renew("b:1", 500).held()).isFalse();
        assertThat(backend.isLocked(NAME)).isTrue();
    }

    @Test
    void aRepeatedAcquireIsTheSameOwnershipAndNeverShortens() {
        acquire("a:1", 500);
        assertThat(acquire("a:1", 100)).isEqualTo(new AcquireReply.Ok(START_MICROS, 0));
        passMillis(499);
        assertThat(backend.isLocked(NAME)).isTrue();
        acquire("a:1", 100);
        passMillis(99);
        assertThat(backend.isLocked(NAME)).isTrue();
        passMillis(1);
        assertThat(backend.isLocked(NAME)).isFalse();
    }

    @Test
    void aLeaseThatIsNotRenewedEnds() {
        acquire("a:1", 500);
        passMillis(400);
        assertThat(renew("a:1", 500)).isEqualTo(new RenewReply(true, 0));
        assertThat(renew("a:1", 10)).isEqualTo(new RenewReply(true, 0));
        assertThat(renew("a:1", 0)).isEqualTo(new RenewReply(true, 0));
        passMillis(499);
        assertThat(backend.isLocked(NAME)).isTrue();
        passMillis(1);
        assertThat(renew("a:1", 500).held()).isFalse();
        assertThat(release("a:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void aReleaseHandsOverToTheFirstWaiter() {
        acquire("a:1", 500);
        join("b:1");
        join("a:2");
        assertThat(renew("a:1", 500)).isEqualTo(new RenewReply(true, 2));
        passMillis(1);
        release("a:1");
        assertThat(b.heard).containsExactly("granted " + NAME + " b:1");
        assertThat(a.heard).isEmpty();
        assertThat(acquire("b:1", 500)).isEqualTo(new AcquireReply.Ok(START_MICROS + 1_000, 1));
    }

    @Test
    void aGrantThatNobodyConfirmsEndsAfterThreeSeconds() {
        acquire("a:1", 500);
        join("b:1");
        release("a:1");
        passMillis(2_999);
        assertThat(acquire("a:2", 500)).isInstanceOf(AcquireReply.Busy.class);
        passMillis(1);
        assertThat(acquire("a:2", 500)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void aGrantLastsAsLongAsTheProcessThatGetsItBelieves() {
        EngineSettings standard = EngineSettings.standard("c");
        CommandPort portOfC = LocalCommandPort.connect(
                backend,
                new EngineSettings(
                        "c",
                        standard.commandTimeout(),
                        Duration.ofSeconds(30),
                        standard.heartbeat(),
                        standard.handoverMaxCount(),
                        standard.handoverMaxTime()));
        acquire("a:1", 500);
        portOfC.acquire(NAME, "c:1", 500, true);
        release("a:1");
        passMillis(29_999);
        assertThat(acquire("a:2", 500)).isInstanceOf(AcquireReply.Busy.class);
        passMillis(1);
        assertThat(acquire("a:2", 500)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void aReleaseThatChangesNothingAdmitsNobody() {
        acquire("a:1", 500);
        join("b:1");
        passMillis(500);
        assertThat(release("c:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(backend.holders(NAME)).isEmpty();
        assertThat(release("b:2")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(backend.waiters(NAME)).containsExactly("b:1");
    }

    @Test
    void aNewcomerDoesNotOvertakeALiveWaiter() {
        acquire("a:1", 500);
        join("b:1");
        passMillis(500);
        assertThat(acquire("a:2", 500)).isEqualTo(new AcquireReply.Busy(3_000, START_MICROS + 500_000));
        assertThat(b.heard).hasSize(1);
    }

    @Test
    void aSilentWaiterThatAsksAgainKeepsItsPlace() {
        acquire("a:1", 3_500);
        join("b:1");
        passMillis(1_000);
        join("a:2");
        passMillis(2_500);
        assertThat(acquireWaiting("b:1")).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void aWaiterThatLeavesIsOutOfTheQueue() {
        acquire("a:1", 500);
        join("b:1");
        assertThat(release("b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        release("a:1");
        assertThat(b.heard).isEmpty();
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void anAbandonedQueueIsForgotten() {
        acquire("a:1", 500);
        join("b:1");
        passMillis(29_999);
        assertThat(backend.namesInUse()).containsExactly(NAME);
        passMillis(1);
        assertThat(backend.namesInUse()).isEmpty();
    }

    @Test
    void aBuriedClaimGetsNothingForFiveMinutes() {
        backend.release(NAME, "a:1", true, 0);
        assertThat(acquire("a:1", 500)).isEqualTo(new AcquireReply.Gone());
        assertThat(acquireWaiting("a:1")).isEqualTo(new AcquireReply.Gone());
        assertThat(backend.acquire("another", "a:1", 500, false)).isInstanceOf(AcquireReply.Ok.class);
        passMillis(TimeUnit.MINUTES.toMillis(5) - 1);
        backend.release(NAME, "a:1", true, 0);
        passMillis(1);
        assertThat(acquire("a:1", 500)).isEqualTo(new AcquireReply.Gone());
        passMillis(TimeUnit.MINUTES.toMillis(5));
        assertThat(acquire("a:1", 500)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void aKeptLockBelongsToNobodyUntilItsTimeIsOver() {
        acquire("a:1", 60_000);
        assertThat(backend.release(NAME, "a:1", false, 400)).isEqualTo(ReleaseReply.RELEASED);
        assertThat(renew("a:1", 500).held()).isFalse();
        assertThat(release("a:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(acquire("a:1", 500)).isEqualTo(new AcquireReply.Busy(400, START_MICROS));
        passMillis(400);
        assertThat(acquire("a:2", 500)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void fencingNumbersGrowWithoutTimeAndAcrossForgottenNames() {
        acquire("a:1", 500);
        release("a:1");
        assertThat(acquire("a:2", 500)).isEqualTo(new AcquireReply.Ok(START_MICROS + 1, 0));
        backend.forgetEverything();
        assertThat(acquire("b:1", 500)).isEqualTo(new AcquireReply.Ok(START_MICROS + 2, 0));
    }

    @Test
    void aForcedReleaseTellsTheHolderAndHandsOver() {
        acquire("a:1", 60_000);
        join("b:1");
        assertThat(backend.forceRelease(NAME)).isTrue();
        assertThat(a.heard).containsExactly("revoked " + NAME + " a:1");
        assertThat(b.heard).hasSize(1);
        release("b:1");
        assertThat(backend.forceRelease(NAME)).isFalse();
    }

    @Test
    void namesThatNobodyReleasedDoNotFillTheMemory() {
        for (int i = 0; i < 10_000; i++) {
            backend.acquire("abandoned:" + i, "a:" + i, 100, false);
            passMillis(1);
        }
        assertThat(backend.rememberedNames()).isLessThanOrEqualTo(1_024);
        assertThat(backend.namesInUse()).hasSize(99);
    }

    @Test
    void aClosedProcessHearsNothingAndCannotAsk() {
        acquire("a:1", 500);
        join("b:1");
        portOfB.close();
        release("a:1");
        assertThat(b.heard).isEmpty();
        assertThat(portOfB.isLocked(NAME)).isCompletedExceptionally();
        assertThat(LocalCommandPort.connect(backend, "b")).isNotNull();
    }

    @Test
    void twoProcessesCannotShareAName() {
        assertThatIllegalStateException()
                .isThrownBy(() -> LocalCommandPort.connect(backend, "a"))
                .withMessageContaining("'a'")
                .withMessageContaining("its own instance name");
    }

    private AcquireReply acquire(String claim, long leaseMillis) {
        return backend.acquire(NAME, claim, leaseMillis, false);
    }

    private AcquireReply acquireWaiting(String claim) {
        return backend.acquire(NAME, claim, 500, true);
    }

    private void join(String claim) {
        assertThat(acquireWaiting(claim)).isInstanceOf(AcquireReply.Busy.class);
    }

    private ReleaseReply release(String claim) {
        return backend.release(NAME, claim, false, 0);
    }

    private RenewReply renew(String claim, long leaseMillis) {
        return backend.renew(NAME, claim, leaseMillis);
    }

    private void passMillis(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
