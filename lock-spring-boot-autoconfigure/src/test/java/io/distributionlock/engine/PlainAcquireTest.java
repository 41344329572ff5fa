package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.local.LocalCommandPort;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a lock is acquired by a plain command, and what becomes of its late copies. */
class PlainAcquireTest {

    private static final int ROUND_TRIP = 5;
    private static final int COMMAND_TIMEOUT = 2_000;
    private static final int DISTRUST = 10_000;
    private static final int LONGEST_ORPHAN = 30_000;
    private static final int FORGOTTEN = 331_000;
    private static final long LEASE = 3_600_000;

    private final VirtualEngine virtual = new VirtualEngine();
    private final CommandPort backend = LocalCommandPort.connect(virtual.backend, "copy");

    /** Whether an attempt for a free lock asks by a plain command. */
    private boolean isPlain(LockRequest.Builder request) {
        virtual.port.plainClaims.clear();
        CompletableFuture<LockOutcome> attempt = virtual.ask(request.tryLockTime(Duration.ofSeconds(1)));
        virtual.pass(2 * ROUND_TRIP);
        VirtualEngine.lease(attempt).releaseWithoutWaiting();
        virtual.pass(2 * ROUND_TRIP);
        return !virtual.port.plainClaims.isEmpty();
    }

    private boolean isPlain() {
        return isPlain(LockRequest.named("free"));
    }

    @Test
    void onlyAReentrantLockWithoutATokenIsAcquiredPlainly() {
        assertThat(isPlain()).isTrue();
        assertThat(isPlain(LockRequest.named("free").minHoldTime(Duration.ofMillis(1))))
                .isTrue();
        assertThat(isPlain(LockRequest.named("other").fenced())).isFalse();
        for (LockKind kind : List.of(LockKind.FAIR, LockKind.READ, LockKind.WRITE)) {
            assertThat(isPlain(LockRequest.named("other").kind(kind)))
                    .as(kind.name())
                    .isFalse();
        }
    }

    @Test
    void anAttemptThatFindsTheLockBusyAsksNoLongerPlainly() {
        LockEngine there = virtual.otherProcess("there");
        CompletableFuture<LockOutcome> held = there.acquire(
                LockRequest.named("name").tryLockTime(Duration.ZERO).build(), LockOwner.unique());
        virtual.askRenewed("name", 20_000, 60_000);
        virtual.pass(10_000);
        assertThat(virtual.port.plainClaims).hasSize(1);
        VirtualEngine.lease(held).releaseWithoutWaiting();
    }

    @Test
    void whoKnowsThatOthersWaitDoesNotAskPlainly() {
        EngineLease lease = virtual.take("name", 60_000);
        LockEngine there = virtual.otherProcess("there");
        CompletableFuture<LockOutcome> waiter = there.acquire(
                LockRequest.named("name").tryLockTime(Duration.ofMinutes(1)).build(), LockOwner.unique());
        lease.confirmAsync();
        CompletableFuture<LockOutcome> next = virtual.askRenewed("name", 20_000, 60_000);
        virtual.pass(1_000);
        virtual.port.plainClaims.clear();
        lease.releaseWithoutWaiting();
        virtual.pass(100);
        assertThat(waiter).isDone();
        assertThat(next).isNotDone();
        assertThat(virtual.port.plainClaims).isEmpty();
    }

    @Test
    void forTenSecondsAfterANewConnectionNothingIsAskedPlainly() {
        assertThat(isPlain()).isTrue();
        virtual.engine.reconnected();
        assertThat(isPlain()).isFalse();
        virtual.pass(DISTRUST - 1_000);
        assertThat(isPlain()).isFalse();
        virtual.pass(1_000);
        assertThat(isPlain()).isTrue();
    }

    @Test
    void forTenSecondsAfterAnAttemptWasGivenUpWithoutAnAnswerNothingIsAskedPlainly() {
        assertThat(isPlain()).isTrue();
        giveUpUnanswered();
        assertThat(isPlain()).isFalse();
        virtual.pass(DISTRUST - 1_000);
        assertThat(isPlain()).isFalse();
        virtual.pass(1_000);
        assertThat(isPlain()).isTrue();
    }

    /** The command fails for want of a connection, and may still run. */
    private String giveUpUnanswered() {
        virtual.port.plainClaims.clear();
        virtual.port.failAnswers((call, name) -> call == FaultyPort.Call.ACQUIRE, () -> new IOException("on purpose"));
        CompletableFuture<LockOutcome> attempt =
                virtual.ask(LockRequest.named("name").tryLockTime(Duration.ZERO));
        virtual.pass(1);
        assertThat(attempt.getNow(null)).isInstanceOf(LockOutcome.BackendFailed.class);
        virtual.port.work();
        virtual.pass(1);
        assertThat(virtual.port.plainClaims).hasSize(1);
        return virtual.port.plainClaims.get(0);
    }

    @Test
    void forTenSecondsAfterASilenceNothingIsAskedPlainly() {
        virtual.port.answerAfter(60_000);
        CompletableFuture<LockOutcome> attempt =
                virtual.ask(LockRequest.named("name").tryLockTime(Duration.ofMillis(500)));
        virtual.pass(500);
        assertThat(attempt.getNow(null)).isInstanceOf(LockOutcome.BackendFailed.class);
        virtual.port.answerAfter(0);
        assertThat(isPlain()).isFalse();
        virtual.pass(DISTRUST);
        assertThat(isPlain()).isTrue();
    }

    @Test
    void anAttemptThatIsCancelledBeforeItsAnswerChangesNothingForOthers() {
        virtual.port.answerAfter(ROUND_TRIP);
        cancelBeforeTheAnswer("name");
        assertThat(backend.isLocked("name").join()).isFalse();
        assertThat(isPlain()).isTrue();
    }

    /** Each of them has its release repeated. */
    @Test
    void whenVeryManyAreCancelledNothingIsAskedPlainlyForAWhile() {
        virtual.port.answerAfter(ROUND_TRIP);
        for (int i = 0; i < 1_000; i++) {
            virtual.askRenewed("name" + i, 1_000, 60_000).cancel(true);
        }
        virtual.pass(2 * ROUND_TRIP);
        assertThat(isPlain()).isFalse();
        virtual.pass(FORGOTTEN);
        assertThat(isPlain()).isTrue();
    }

    private void cancelBeforeTheAnswer(String name) {
        assertThat(virtual.askRenewed(name, 1_000, 60_000).cancel(true)).isTrue();
        virtual.pass(2 * ROUND_TRIP);
    }

    @Test
    void aLateCopyThatRunsAfterItsReleaseWasAnsweredIsReleasedWithinHalfAMinute() {
        for (int late : new int[] {0, 10, 999, 20_000, 100_000, 280_000, 299_000}) {
            String claim = giveUpUnanswered();
            virtual.pass(late);
            runLate(claim);
            virtual.pass(LONGEST_ORPHAN + 1);
            assertThat(backend.isLocked("name").join()).as("%d ms late", late).isFalse();
            virtual.pass(DISTRUST);
        }
    }

    private void runLate(String claim) {
        assertThat(backend.acquirePlain("name", claim, LEASE, false).join())
                .isInstanceOf(io.distributionlock.backend.AcquireReply.Ok.class);
        assertThat(backend.isLocked("name").join()).isTrue();
    }

    @Test
    void everyOneOfManyLateCopiesIsReleased() {
        String claim = giveUpUnanswered();
        for (int i = 0; i < 9; i++) {
            runLate(claim);
            virtual.pass(LONGEST_ORPHAN + 1);
            assertThat(backend.isLocked("name").join()).isFalse();
        }
    }

    @Test
    void aNewConnectionMakesTheReleaseOfALateCopyComeSoon() {
        String claim = giveUpUnanswered();
        virtual.pass(100_000);
        runLate(claim);
        virtual.engine.reconnected();
        virtual.pass(1_001);
        assertThat(backend.isLocked("name").join()).isFalse();
    }

    @Test
    void aLateCopyThatStandsInTheWayOfAWaiterMakesWayForIt() {
        String claim = giveUpUnanswered();
        virtual.pass(100_000);
        runLate(claim);
        LockEngine there = virtual.otherProcess("there");
        CompletableFuture<LockOutcome> waiter = there.acquire(
                LockRequest.named("name").tryLockTime(Duration.ofMinutes(1)).build(), LockOwner.unique());
        assertThat(waiter).isNotDone();
        for (int i = 0; i < LONGEST_ORPHAN && !waiter.isDone(); i++) {
            virtual.pass(1);
            there.tick();
        }
        assertThat(VirtualEngine.lease(waiter).isValid()).isTrue();
    }

    /** Neither a late copy's release nor its repetition concerns who holds the lock now. */
    @Test
    void theReleasesOfLateCopiesLeaveTheNextHolderAlone() {
        giveUpUnanswered();
        EngineLease lease = virtual.take("name", LEASE);
        virtual.pass(310_000);
        assertThat(lease.isValid()).isTrue();
        assertThat(virtual.engine.counters().lostLeases()).isZero();
        assertThat(lease.releaseWithoutWaiting()).isCompletedWithValue(io.distributionlock.ReleaseResult.RELEASED);
    }

    /** The answer to the plain acquire was slow: Redis may run a copy that the client has sent again. */
    @Test
    void aLateCopyOfALockThatWasHeldIsReleasedToo() {
        virtual.port.answerAfter(COMMAND_TIMEOUT - 100);
        CompletableFuture<LockOutcome> attempt = virtual.askRenewed("name", 5_000, LEASE);
        virtual.pass(COMMAND_TIMEOUT - 100);
        EngineLease lease = VirtualEngine.lease(attempt);
        virtual.port.answerAfter(0);
        String claim = lease.hold().ownership.claim().text();
        lease.releaseWithoutWaiting();
        virtual.pass(1);
        runLate(claim);
        virtual.pass(LONGEST_ORPHAN + 1);
        assertThat(backend.isLocked("name").join()).isFalse();
    }

    @Test
    void noReleaseIsRepeatedWhenAllWasAnsweredInTime() {
        virtual.take("name", 60_000).releaseWithoutWaiting();
        virtual.port.sent.clear();
        virtual.pass(310_000);
        assertThat(virtual.port.sent).doesNotContain("RELEASE name");
    }
}
