package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Tag("server")
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class RedisStartCheckTest {

    private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(100);

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

    /** What services say that are not quite Redis. */
    @ParameterizedTest
    @ValueSource(strings = {"", "redis_version:unstable", "redis_version:", "server:some-proxy-1.0", "# Server"})
    void anUnusualAnswerToInfoDoesNotStopTheStart(String info, CapturedOutput output) {
        ServerInfo.check(properties(info), "");
        assertThat(output).contains("does not report its version and its maxmemory-policy", "6.2 or later");
    }

    @Test
    void aPolicyThatRedisDoesNotHaveIsWarnedOf(CapturedOutput output) {
        ServerInfo.check(properties("redis_version:6.2.0", "maxmemory_policy:optimistic-volatile"), "");
        assertThat(output)
                .contains("maxmemory-policy is 'optimistic-volatile'.")
                .doesNotContain("does not report");
    }

    @Test
    void oneNodeOfAClusterIsEnough(CapturedOutput output) {
        String[] rest = {"a:1.redis_version:7.2.4", "a:1.maxmemory_policy:allkeys-lru", "a:1.maxmemory:0"};
        ServerInfo.check(properties(rest), "");
        assertThat(output).contains("'allkeys-lru'. Nothing is evicted at present");
        ServerInfo.check(
                properties(Stream.concat(
                                Stream.of(rest),
                                Stream.of(
                                        "b:1.redis_version:7.2.4",
                                        "b:1.maxmemory_policy:allkeys-lfu",
                                        "b:1.maxmemory:99"))
                        .toArray(String[]::new)),
                "");
        assertThat(output).contains("may evict held locks", "is 'allkeys-lfu'");
        assertThatThrownBy(
                        () -> ServerInfo.check(properties("a:1.redis_version:7.2.4", "b:1.redis_version:6.0.14"), ""))
                .hasMessageContaining("it is 6.0.14, and locks need 6.2 or later");
    }

    @ParameterizedTest
    @CsvSource({
        "redis_version:6.2.11, Redis 6.2.11 is older than 6.2.20.",
        "redis_version:6.2.19, Redis 6.2.19 is older than 6.2.20.",
        "redis_version:7.2.4, Redis 7.2.4 is older than 7.2.11.",
        "redis_version:7.4.5, Redis 7.4.5 is older than 7.4.6.",
        "redis_version:8.0.3, Redis 8.0.3 is older than 8.0.4.",
        "redis_version:8.2.1, Redis 8.2.1 is older than 8.2.2.",
        "redis_version:7.2.4 valkey_version:7.2.10, Valkey 7.2.10 is older than 7.2.11.",
        "redis_version:7.2.4 valkey_version:8.0.5, Valkey 8.0.5 is older than 8.0.6.",
        "redis_version:7.2.4 valkey_version:8.1.3, Valkey 8.1.3 is older than 8.1.4.",
        "a:1.redis_version:7.2.11 b:1.redis_version:7.2.10, Redis 7.2.10 is older than 7.2.11."
    })
    void aServerWithKnownHolesIsWarnedOf(String info, String warning, CapturedOutput output) {
        ServerInfo.check(properties(info.split(" ")), "");
        assertThat(output).contains(warning, "CVE-2025-49844").containsOnlyOnce("CVE-2025-46818");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis_version:6.2.20",
                "redis_version:7.2.11",
                "redis_version:7.4.6",
                "redis_version:8.0.4",
                "redis_version:8.2.2",
                "redis_version:8.4.0",
                "redis_version:10.0.0",
                // What a distribution has corrected in the last of its line, which has no release with the corrections,
                // cannot be told.
                "redis_version:7.0.15",
                // ElastiCache
                "redis_version:7.1.0",
                "redis_version:7.2.4 valkey_version:7.2.11",
                "redis_version:7.2.4 valkey_version:8.0.6",
                "redis_version:7.2.4 valkey_version:8.1.4",
                "redis_version:7.2.4 valkey_version:9.0.0",
                "redis_version:7.2.4 gcc_version:12.2.0 valkey_version:9.1.2",
                "redis_version:7.4.0 dragonfly_version:df-v1.30.0",
                "redis_version:7.4.0 rlec_version:7.22.0",
                "redis_version:255.255.255"
            })
    void aServerWithoutKnownHolesIsNotWarnedOf(String info, CapturedOutput output) {
        ServerInfo.check(properties(info.split(" ")), "");
        assertThat(output).doesNotContain("CVE");
    }

    private static Properties properties(String... fields) {
        Properties info = new Properties();
        for (String field : fields) {
            int end = field.lastIndexOf(':');
            info.setProperty(field.substring(0, Math.max(end, 0)), field.substring(end + 1));
        }
        return info;
    }

    private static void assertCheckFails(LockExecutor executor, String reason) {
        RedisStartupCheck check = new RedisStartupCheck("", executor, "spring.data.redis.*", COMMAND_TIMEOUT);
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
