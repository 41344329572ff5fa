package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What attempts that failed while Redis was away leave for its return. */
@Tag("server")
@Tag("boot4")
class RedisOutageTest {

    private static final int ATTEMPTS = 300;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final Executor LATER = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory factory = RedisConnections.to(redis.port());
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory),
            "distribution-lock",
            EngineSettings.standard("host:a").withCommandTimeout(Duration.ofMillis(100)));

    @AfterEach
    void end() {
        executor.stop(Duration.ZERO);
        factory.destroy();
        redis.close();
        threads.assertNoneLeft();
    }

    @Test
    void attemptsThatTimedOutTakeNoLockWhenRedisIsBack() {
        connect();
        redis.kill();
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            attempts.add(attempt("name" + i));
        }
        attempts.forEach(
                attempt -> assertThat(attempt).succeedsWithin(LONG).isInstanceOf(LockOutcome.BackendFailed.class));

        redis.startAgain();

        assertThatAllAreGivenUp();
        // The fencing number outlives the lock.
        assertThat(keys("*{name*:fence")).isEmpty();
    }

    /** While the fast path is closed, scripts are sent: a tombstone suffices, and nothing has to be released again and again. */
    @Test
    void attemptsThatFailWhileTheConnectionIsDistrustedAreGivenUpOnce() {
        connect();
        redis.pause();
        // Its lack of an answer closes the fast path. On a busy machine, one that began before the pause might be over
        // by now.
        assertThat(attempt("silent")).succeedsWithin(LONG).isInstanceOf(LockOutcome.BackendFailed.class);
        List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS; i++) {
            attempts.add(attempt("name" + i));
        }
        attempts.forEach(
                attempt -> assertThat(attempt).succeedsWithin(LONG).isInstanceOf(LockOutcome.BackendFailed.class));

        redis.resume();

        assertThatAllAreGivenUp();
        redis.resetCalls();
        await().during(Duration.ofSeconds(5))
                .atMost(LONG)
                .until(() -> redis.calls("evalsha") + redis.calls("eval") < ATTEMPTS);
    }

    /** Attempts begin before there is a server. When it is there, each has an answer, and one of them the lock. */
    @Test
    void ofAllWhoTryBeforeThereIsAServerOneGetsTheLock() {
        redis.kill();
        RedisLockExecutor other = new RedisLockExecutor(
                new StringRedisTemplate(factory), "distribution-lock", EngineSettings.standard("host:b"));
        try {
            List<CompletableFuture<LockOutcome>> attempts = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                attempts.add(untilAnswered(i % 2 == 0 ? executor : other));
            }
            assertThat(attempts).noneMatch(CompletableFuture::isDone);

            redis.startAgain();

            List<LockOutcome> outcomes = new ArrayList<>();
            for (CompletableFuture<LockOutcome> attempt : attempts) {
                assertThat(attempt).succeedsWithin(LONG.multipliedBy(2));
                outcomes.add(attempt.join());
            }
            assertThat(outcomes)
                    .filteredOn(LockOutcome.Acquired.class::isInstance)
                    .hasSize(1);
            assertThat(outcomes).filteredOn(LockOutcome.Busy.class::isInstance).hasSize(9);
        } finally {
            other.stop(Duration.ZERO);
        }
    }

    /** One that tries again whenever Redis fails. */
    private static CompletableFuture<LockOutcome> untilAnswered(LockExecutor executor) {
        return attempt(executor, "absent")
                .thenCompose(outcome -> outcome instanceof LockOutcome.BackendFailed
                        ? CompletableFuture.supplyAsync(() -> executor, LATER)
                                .thenCompose(RedisOutageTest::untilAnswered)
                        : CompletableFuture.completedFuture(outcome));
    }

    /** An administrator may take away a permission while the application runs. */
    @Test
    void onceAReleaseIsForbiddenNoMoreLocksAreTaken() {
        RedisLockExecutor patient = new RedisLockExecutor(
                new StringRedisTemplate(factory), "distribution-lock", EngineSettings.standard("host:b"));
        try {
            LockOutcome held = await().atMost(LONG)
                    .until(() -> attempt(patient, "held").join(), LockOutcome.Acquired.class::isInstance);
            releasing("-");
            ((LockOutcome.Acquired) held).lease().releaseAsync();
            await().atMost(LONG).until(() -> !((List<?>) redis.command("ACL", "LOG")).isEmpty());

            assertThat(attempt(patient, "other").join()).isInstanceOf(LockOutcome.BackendFailed.class);
            assertThat(keys("*{other}")).isEmpty();

            releasing("+");
            await().atMost(LONG).until(() -> attempt(patient, "again").join() instanceof LockOutcome.Acquired);
            await().atMost(LONG).until(() -> keys("*{held}").isEmpty());
        } finally {
            patient.stop(Duration.ZERO);
        }
    }

    /** Takes or gives the right to every command that releases. */
    private void releasing(String sign) {
        redis.command("ACL", "SETUSER", "default", sign + "eval", sign + "evalsha");
        redis.compareAndDelete().ifPresent(command -> redis.command("ACL", "SETUSER", "default", sign + command));
    }

    /** On a busy machine an answer may take longer than it is waited for. */
    private void connect() {
        await().atMost(LONG).until(() -> attempt("before").join() instanceof LockOutcome.Acquired);
    }

    private CompletableFuture<LockOutcome> attempt(String name) {
        return attempt(executor, name);
    }

    /** With a lease that outlives the test, and so does a lock that nobody gives up. */
    private static CompletableFuture<LockOutcome> attempt(LockExecutor executor, String name) {
        return executor.acquire(
                LockRequest.named(name)
                        .tryLockTime(Duration.ofSeconds(5))
                        .holdLockTime(Duration.ofMinutes(10))
                        .build(),
                LockOwner.unique());
    }

    /**
     * A release with a tombstone is behind each attempt that has reached Redis. What a busy machine has not sent when its time is
     * over is not sent any more.
     */
    private void assertThatAllAreGivenUp() {
        await().atMost(LONG).until(() -> attempt("after").join() instanceof LockOutcome.Acquired);
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(keys("*{name*:gone:*")).isNotEmpty());
        await().during(Duration.ofSeconds(1))
                .atMost(LONG)
                .until(() -> keys("*{name*}").isEmpty());
    }

    private List<?> keys(String pattern) {
        return (List<?>) redis.command("KEYS", pattern);
    }
}
