package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.JedisPoolConfig;

/** T5: Jedis lends connections from a pool, and a subscription keeps one of them. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class JedisPoolTest {

    private final RedisProcess redis = RedisProcess.start();
    private final List<RedisLockExecutor> executors = new ArrayList<>();
    private final List<JedisConnectionFactory> factories = new ArrayList<>();

    @AfterEach
    void end() {
        executors.forEach(RedisLockExecutor::close);
        factories.forEach(JedisConnectionFactory::destroy);
        redis.close();
    }

    private RedisLockExecutor process(int connections) {
        JedisPoolConfig pool = new JedisPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxWait(Duration.ofMillis(1_500));
        JedisConnectionFactory factory = new JedisConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
                JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
        factory.afterPropertiesSet();
        factory.start();
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory), "distribution-lock", EngineSettings.standard(InstanceName.create()));
        executors.add(executor);
        // The first connection loads classes.
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> !executor.isLocked("not yet").join());
        return executor;
    }

    private static CompletableFuture<LockOutcome> attempt(RedisLockExecutor executor) {
        return executor.acquire(
                LockRequest.named("name").tryLockTime(Duration.ofSeconds(30)).build(), LockOwner.unique());
    }

    private static LockOutcome.Acquired got(CompletableFuture<LockOutcome> attempt) throws Exception {
        LockOutcome outcome = attempt.get(60, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return (LockOutcome.Acquired) outcome;
    }

    private void passFromOneToTheOther(int connections) throws Exception {
        RedisLockExecutor here = process(connections);
        RedisLockExecutor there = process(connections);
        for (int round = 0; round < 3; round++) {
            LockOutcome.Acquired first = got(attempt(here));
            CompletableFuture<LockOutcome> waiter = attempt(there);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Long.valueOf(1).equals(redis.command("EXISTS", "distribution-lock:{name}:queue")));
            assertThat(first.lease().release()).isEqualTo(io.distributionlock.ReleaseResult.RELEASED);
            assertThat(got(waiter).lease().release()).isEqualTo(io.distributionlock.ReleaseResult.RELEASED);
        }
    }

    @Test
    void whoWaitsGetsTheLockAlsoOverAPoolOfOne(CapturedOutput output) throws Exception {
        passFromOneToTheOther(1);
        assertThat(output).contains("spring.data.redis.jedis.pool.max-active=1");
    }

    @Test
    void whoWaitsGetsTheLockOverAPoolOfTwo(CapturedOutput output) throws Exception {
        passFromOneToTheOther(2);
        assertThat(output).doesNotContain("max-active=1");
    }
}
