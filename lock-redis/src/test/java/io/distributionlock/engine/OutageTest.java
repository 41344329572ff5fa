package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A backend that answers with an error is there, whatever the error is. In virtual time. */
@ExtendWith(OutputCaptureExtension.class)
class OutageTest {

    /** Short, because no message may tell of a longer time than this JVM has lived; the time here is virtual. */
    private static final Duration TIMEOUT = Duration.ofMillis(300);

    private final VirtualEngine virtual =
            new VirtualEngine(EngineSettings.standard("me").withCommandTimeout(TIMEOUT), Runnable::run);

    static Stream<RuntimeException> answers() {
        return Stream.of(
                new TryAgainException("LOADING Redis is loading the dataset in memory"),
                new NotReplicatedException("0 of 1 replicas acknowledged it within 500 ms"),
                new BackendProblemException("Redis has no memory left for a lock.", "Free memory.", null, true));
    }

    private CompletableFuture<LockOutcome> attempt() {
        return virtual.ask(LockRequest.named("name").tryLockTime(Duration.ZERO));
    }

    private void failBy(Throwable failure) {
        virtual.port.failAnswers((call, name) -> true, () -> failure);
        CompletableFuture<LockOutcome> attempt = attempt();
        virtual.pass(TIMEOUT.toMillis());
        assertThat(attempt).isCompletedWithValueMatching(outcome -> !(outcome instanceof LockOutcome.Acquired));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anErrorThatWasAnsweredIsNoOutage(RuntimeException answer, CapturedOutput output) {
        failBy(answer);
        assertThat(output).doesNotContain("out of service");
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anErrorThatWasAnsweredEndsAnOutage(RuntimeException answer, CapturedOutput output) {
        failBy(new ConnectException("refused"));
        assertThat(output).contains("out of service").doesNotContain("back in service");
        failBy(answer);
        assertThat(output).contains("back in service");
    }

    @Test
    void aBackendThatNeverAnsweredIsOutOfServiceAlsoForAttemptsThatEndEarlier(CapturedOutput output) {
        virtual.port.answerAfter(60_000);
        attemptFor(200);
        attemptFor(200);
        assertThat(output).doesNotContain("out of service");
        virtual.pass(TIMEOUT.toMillis());
        assertThat(output).containsOnlyOnce("out of service");

        virtual.port.answerAfter(0);
        assertThat(attempt()).isCompletedWithValueMatching(LockOutcome.Acquired.class::isInstance);
        virtual.pass(60_000);
        assertThat(output).containsOnlyOnce("out of service").containsOnlyOnce("back in service");
    }

    /** Such as by the rights of the user: otherwise only the loss would be logged, for want of an answer. */
    @Test
    void thatRenewalsAreRefusedIsLoggedOnce(CapturedOutput output) {
        EngineLease lease = virtual.take("name", 3_000);
        virtual.take("other", 3_000);
        virtual.port.failAnswers(
                (call, name) -> call == FaultyPort.Call.RENEW,
                () -> new BackendProblemException("The user may not renew.", "Grant it.", null, true));
        virtual.pass(4_000);
        assertThat(lease.isValid()).isFalse();
        assertThat(output)
                .containsOnlyOnce("The renewal of lock")
                .contains("was refused")
                .containsOnlyOnce("The user may not renew. Grant it.");

        virtual.port.work();
        virtual.take("name", 3_000);
        virtual.pass(2_000);
        virtual.port.failAnswers(
                (call, name) -> call == FaultyPort.Call.RENEW,
                () -> new BackendProblemException("The user may not renew.", "Grant it.", null, true));
        virtual.pass(2_000);
        assertThat(output.toString().split("The renewal of lock", -1)).hasSize(3);
    }

    private void attemptFor(long millis) {
        CompletableFuture<LockOutcome> attempt =
                virtual.ask(LockRequest.named("early").tryLockTime(Duration.ofMillis(millis)));
        virtual.pass(millis);
        assertThat(attempt).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
    }
}
