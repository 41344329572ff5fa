package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An operator frees a lock with so many readers that this takes longer than one command may. */
@Tag("server")
@Tag("long")
class ManyReadersForcedTest {

    private static final int READERS = 30_000;

    /** Six hundred runs of a script, of which each takes at least twice the latency. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration LATENCY = Duration.ofMillis(10);

    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private final LettuceConnectionFactory factory = RedisConnections.to(proxy.port());
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory),
            "distribution-lock",
            EngineSettings.standard("host:a").withCommandTimeout(COMMAND_TIMEOUT));

    @AfterEach
    void end() {
        proxy.latency(Duration.ZERO);
        executor.stop(Duration.ZERO);
        factory.destroy();
        proxy.close();
        redis.close();
    }

    @Test
    void allAreFreedHoweverLongItTakes() throws Exception {
        assertThat(executor.isLocked("order").get(30, TimeUnit.SECONDS)).isFalse();
        redis.command("SET", "distribution-lock:{order}", "readers");
        redis.command(
                "EVAL",
                "for i = 1, " + READERS + " do redis.call('ZADD', KEYS[1], 99999900000000 + i, 'host:b:r' .. i) end",
                "1",
                "distribution-lock:{order}:readers");
        proxy.latency(LATENCY);

        assertThat(executor.forceRelease("order").get(5, TimeUnit.MINUTES)).isTrue();

        assertThat(redis.command("EXISTS", "distribution-lock:{order}", "distribution-lock:{order}:readers"))
                .isEqualTo(0L);
        assertThat(executor.forceRelease("order").get(30, TimeUnit.SECONDS)).isFalse();
    }
}
