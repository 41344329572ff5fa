package io.distributionlock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisProcessTest {

    @Test
    void aServerRunsUntilItIsClosed() {
        RedisProcess redis = RedisProcess.start();
        long pid = redis.pid();
        assertThat(redis.command("PING")).isEqualTo("PONG");
        assertThat(redis.command("CONFIG", "GET", "save")).asString().isEqualTo("[save, ]");
        redis.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        redis.close();
    }

    @Test
    void aKilledServerStartsAgainEmptyOnItsPort() {
        try (RedisProcess redis = RedisProcess.start()) {
            int port = redis.port();
            redis.command("SET", "key", "value");
            redis.kill();
            assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(UncheckedIOException.class);

            redis.startAgain();

            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.command("EXISTS", "key")).isEqualTo(0L);
        }
    }

    @Test
    void aPausedServerAnswersWhenItIsResumed() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.pause();
            CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> redis.command("PING"));
            await().pollDelay(java.time.Duration.ofMillis(200))
                    .untilAsserted(() -> assertThat(reply).isNotDone());
            redis.resume();
            await().untilAsserted(() -> assertThat(reply).isCompletedWithValue("PONG"));
        }
    }

    @Test
    void aPausedServerCanBeClosed() {
        RedisProcess redis = RedisProcess.start();
        long pid = redis.pid();
        redis.pause();
        redis.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void callsAreCounted() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command("GET", "key");
            redis.command("GET", "key");
            assertThat(redis.calls("get")).isEqualTo(2);
            redis.resetCalls();
            assertThat(redis.calls("get")).isZero();
        }
    }

    @Test
    void optionsArePassedOn() {
        try (RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN, "--requirepass", "secret")) {
            assertThatThrownBy(() -> redis.command("PING")).hasMessageContaining("NOAUTH");
        }
    }
}
