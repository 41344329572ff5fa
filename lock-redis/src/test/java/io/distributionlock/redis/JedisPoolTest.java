package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.SpringVersion;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.JedisPoolConfig;

/** T5: Jedis lends connections from a pool, and a subscription keeps one of them. */
@Tag("server")
@Tag("boot4")
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
        return process(connections, Duration.ofMillis(1_500), TestProcess.patient(InstanceName.create()));
    }

    private RedisLockExecutor process(int connections, Duration longestWait, EngineSettings settings) {
        JedisPoolConfig pool = new JedisPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxWait(longestWait);
        JedisConnectionFactory factory = JedisConnections.to(redis.port(), pool);
        factories.add(factory);
        RedisLockExecutor executor =
                new RedisLockExecutor(new StringRedisTemplate(factory), "distribution-lock", settings);
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

    /** @param longestWait for a connection of the pool; negative for ever, which is the default */
    @ParameterizedTest
    @ValueSource(longs = {-1, 200})
    void whenTheApplicationUsesAllConnectionsThenTheFailureNamesThePool(long longestWait) throws Exception {
        RedisLockExecutor executor =
                process(2, Duration.ofMillis(longestWait), EngineSettings.standard(InstanceName.create()));
        List<CompletableFuture<?>> used = List.of(waitForAnItem(), waitForAnItem());
        await().atMost(Duration.ofSeconds(60))
                .until(() -> redis.info("clients", "blocked_clients").equals("2"));
        // Spring Data Redis 4 borrows inside of the command. One that waits for a connection looks like one that waits
        // for Redis.
        boolean unseen = longestWait < 0 && !SpringVersion.getVersion().startsWith("6.");
        String expected = unseen ? "No answer came" : "spring.data.redis.jedis.pool.max-active";
        LockOutcome outcome = executor.acquire(
                        LockRequest.named("name").tryLockTime(Duration.ZERO).build(), LockOwner.unique())
                .get(60, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOfSatisfying(LockOutcome.BackendFailed.class, failed -> {
            LockBackendException failure = new LockBackendException("name", failed.waited(), failed.cause());
            assertThat(failure).hasMessageContaining(expected);
            assertThat(MessageRules.faults(failure.getMessage(), "name")).isEmpty();
        });
        redis.command("RPUSH", "items", "one", "other");
        used.forEach(CompletableFuture::join);
        assertThat(got(attempt(executor)).lease().release()).isEqualTo(io.distributionlock.ReleaseResult.RELEASED);
    }

    /** A command that waits keeps a connection of the pool, which Spring Data Redis 4 borrows for each command alone. */
    private CompletableFuture<?> waitForAnItem() {
        byte[] items = "items".getBytes(StandardCharsets.UTF_8);
        return CompletableFuture.runAsync(
                () -> {
                    try (RedisConnection connection = factories.get(0).getConnection()) {
                        connection.listCommands().bLPop(60, items);
                    }
                },
                task -> new Thread(task).start());
    }

    @Test
    void whoWaitsGetsTheLockOverAPoolOfTwo(CapturedOutput output) throws Exception {
        passFromOneToTheOther(2);
        assertThat(output).doesNotContain("max-active=1");
    }
}
