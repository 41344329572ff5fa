package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockNotReplicatedException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.RedisSystemException;

/** What is said of an attempt that failed is true of this one. */
class FailureMessageTest {

    private static final String IS_IT_UP = "Check that Redis is running";
    private static final Duration WAITED = Duration.ofMillis(12);

    static Stream<Throwable> silences() {
        return Stream.of(
                new TimeoutException("No answer came within 8000 ms (distribution-lock.redis.command-timeout)."),
                new ConnectException("Connection refused"),
                new RedisConnectionFailureException("Unable to connect to Redis."),
                new IllegalStateException("node a:1 failed", new IOException("reset")));
    }

    @ParameterizedTest
    @MethodSource("silences")
    void whereNoAnswerCameRedisMayBeDown(Throwable cause) {
        String message = new LockBackendException("stock", WAITED, cause).getMessage();
        assertThat(message).contains(IS_IT_UP, "failed after 12 ms");
        assertThat(MessageRules.faults(message, "stock")).isEmpty();
    }

    static Stream<Throwable> answers() {
        return Stream.of(
                new RedisSystemException("WRONGTYPE Operation against a key holding the wrong kind of value", null),
                new IllegalStateException("The answer was strange."),
                new IllegalStateException(
                        "Is there something between the application and Redis that changes commands?"),
                new IllegalStateException((String) null),
                new BackendProblemException("Redis has no memory left.", "Free some.", null),
                new BackendProblemException("Redis has no memory left", "Free some", null),
                new IllegalStateException("two\r\nlines"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void whereRedisAnsweredItIsUp(Throwable cause) {
        String message = new LockBackendException("stock", WAITED, cause).getMessage();
        assertThat(message).doesNotContain(IS_IT_UP).endsWith(".");
        assertThat(MessageRules.faults(message, "stock")).isEmpty();
    }

    @Test
    void aShutdownIsToldAsOneAndNotAsARedisThatIsDown() {
        LocalLockExecutor executor = new LocalLockExecutor(EngineSettings.standard("shutdown"), new LocalBackend());
        LockTemplate template = new LockTemplate(executor, LockDefaults.STANDARD);
        executor.close();
        Throwable thrown = catchThrowable(() -> template.acquire("stock"));
        assertThat(thrown)
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("shutting down")
                .hasMessageNotContaining(IS_IT_UP);
        assertThat(MessageRules.faults(thrown.getMessage(), "stock")).isEmpty();
    }

    @Test
    void everyExceptionOfALockNamesItEscapedAndWhole() {
        for (String name : List.of("stock", "a\nb", "a\u202eb")) {
            String shown = name.replace("\n", "\\n").replace("\u202e", "\\u202E");
            for (Throwable thrown : List.of(
                    new LockLostException(name, LossReason.EXPIRED),
                    LockNotAcquiredException.of(name, new LockOutcome.Upgrade(WAITED, LockKind.WRITE)),
                    new LockBackendException(name, WAITED, new TimeoutException("No answer came.")),
                    new LockNotReplicatedException(
                            name, WAITED, new IllegalStateException("0 of 1 replicas acknowledged it")),
                    LockNotAcquiredException.of(name, new LockOutcome.Busy(WAITED)),
                    LockNotAcquiredException.of(name, new LockOutcome.Lost(WAITED)),
                    LockNotAcquiredException.of(name, new LockOutcome.Busy(WAITED, true)),
                    LockNotAcquiredException.of(
                            LockRequest.named(name).refuseRepeats(WAITED).build(), new LockOutcome.Busy(WAITED)),
                    LockNotAcquiredException.of(name, new LockOutcome.Interrupted(WAITED)))) {
                assertThat(MessageRules.faults(thrown.getMessage(), shown))
                        .as(thrown.getMessage())
                        .isEmpty();
            }
        }
    }
}
