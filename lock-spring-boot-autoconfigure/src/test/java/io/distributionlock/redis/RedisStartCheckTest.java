package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

class RedisStartCheckTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

    private static RedisProcess redis;
    private static LettuceConnectionFactory factory;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        factory = RedisConnections.to(redis.port());
    }

    @AfterAll
    static void end() {
        factory.destroy();
        redis.close();
    }

    /** The executor repeats an acquire until its time is over, and only then tells what Redis said. */
    @Test
    void whatTheExecutorSaysWhenItsTimeIsOverIsStillHeard() {
        Executor executor = new Executor() {
            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                LockOutcome outcome = new LockOutcome.BackendFailed(
                        COMMAND_TIMEOUT,
                        new TryAgainException("READONLY You can't write against a read only replica."));
                return late(outcome);
            }
        };
        assertCheckFails(executor, "connected to a replica");
    }

    @Test
    void anExecutorThatDoesNotEvenSayThatItsTimeIsOverIsNotWaitedForForEver() {
        Executor executor = new Executor() {
            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                return new CompletableFuture<>();
            }
        };
        assertCheckFails(executor, "no answer within 5100 ms");
    }

    private static void assertCheckFails(LockExecutor executor, String reason) {
        RedisStartupCheck check = new RedisStartupCheck(executor, new StringRedisTemplate(factory), COMMAND_TIMEOUT);
        assertThatThrownBy(check::run)
                .isInstanceOf(BackendProblemException.class)
                .hasMessageContaining(reason);
    }

    /** Answers shortly after the command timeout. */
    private static <T> CompletableFuture<T> late(T answer) {
        return CompletableFuture.supplyAsync(
                () -> answer, CompletableFuture.delayedExecutor(3 * COMMAND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    }

    private abstract static class Executor implements LockExecutor {

        @Override
        public CompletableFuture<Boolean> isLocked(String name) {
            return late(false);
        }

        @Override
        public int holdCount(String name, LockOwner owner) {
            return 0;
        }
    }
}
