package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.TryAgainException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first answer of all may take 10 s, every other one 2 s; whoever gets it ends that for all. In virtual time. */
class FirstAnswerTest {

    private final VirtualEngine virtual = new VirtualEngine(
            EngineSettings.standard("me").withFirstAnswerTimeout(Duration.ofSeconds(10)), Runnable::run);

    private CompletableFuture<LockOutcome> once(String name) {
        return virtual.ask(LockRequest.named(name).tryLockTime(Duration.ZERO));
    }

    private void answerIn(long millis) {
        virtual.port.answerAfter(millis);
    }

    @Test
    void anAttemptGetsALateFirstAnswer() {
        answerIn(9_000);
        CompletableFuture<LockOutcome> attempt = once("name");
        virtual.pass(8_999);
        assertThat(attempt).isNotDone();
        virtual.pass(1);
        assertThat(attempt.join()).isInstanceOf(LockOutcome.Acquired.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 500, 5_000})
    void anAttemptWaitsNoLongerThanItsOwnTime(long millis) {
        answerIn(60_000);
        CompletableFuture<LockOutcome> attempt =
                virtual.ask(LockRequest.named("name").tryLockTime(Duration.ofMillis(millis)));
        // The shortest waits last until a first answer could have come.
        virtual.pass(Math.max(100, millis));
        assertThat(attempt.join()).isInstanceOf(LockOutcome.BackendFailed.class);
    }

    @Test
    void theFirstAnswerToAnotherNameEndsTheLongWait() {
        answerIn(60_000);
        CompletableFuture<LockOutcome> before = once("before");
        virtual.pass(3_000);
        answerIn(0);
        assertThat(once("other").join()).isInstanceOf(LockOutcome.Acquired.class);
        virtual.pass(1_999);
        assertThat(before).isNotDone();
        virtual.pass(1);
        assertThat(before.join()).isInstanceOf(LockOutcome.BackendFailed.class);

        answerIn(60_000);
        CompletableFuture<LockOutcome> after = once("after");
        virtual.pass(2_000);
        assertThat(after.join()).isInstanceOf(LockOutcome.BackendFailed.class);
    }

    @Test
    void aQueryGetsTheFirstAnswerToo() {
        answerIn(9_000);
        CompletableFuture<Boolean> late = virtual.engine.isLocked("name");
        virtual.pass(9_000);
        assertThat(late.join()).isFalse();

        answerIn(60_000);
        CompletableFuture<LockOutcome> after = once("name");
        virtual.pass(2_000);
        assertThat(after.join()).isInstanceOf(LockOutcome.BackendFailed.class);
    }

    @Test
    void aQueryWithoutAnswerFailsAfterThatTime() {
        answerIn(60_000);
        CompletableFuture<Boolean> never = virtual.engine.isLocked("name");
        virtual.pass(9_999);
        assertThat(never).isNotDone();
        virtual.pass(1);
        assertThatThrownBy(never::join).hasCauseInstanceOf(LockBackendException.class);
    }

    @Test
    void aBackendThatCannotRunCommandsYetHasAnswered() {
        virtual.port.failAnswers(
                (call, name) -> call == FaultyPort.Call.ACQUIRE, () -> new TryAgainException("LOADING"));
        CompletableFuture<LockOutcome> attempt = once("name");
        virtual.pass(2_000);
        assertThat(attempt.join())
                .isInstanceOfSatisfying(
                        LockOutcome.BackendFailed.class,
                        failed -> assertThat(failed.cause()).hasMessage("LOADING"));
    }

    @Test
    void aRefusedConnectionFailsAtOnceAndIsNoAnswer() {
        virtual.port.failAnswers((call, name) -> true, () -> new ConnectException("refused"));
        assertThat(once("name").join()).isInstanceOf(LockOutcome.BackendFailed.class);

        virtual.port.work();
        answerIn(9_000);
        CompletableFuture<LockOutcome> later = once("name");
        virtual.pass(9_000);
        assertThat(later.join()).isInstanceOf(LockOutcome.Acquired.class);
    }
}
