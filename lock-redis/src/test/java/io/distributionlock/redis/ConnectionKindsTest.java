package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ReplicatedRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Locks leave the application all connections of Lettuce's pool, however the servers are configured. */
@Tag("boot4")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConnectionKindsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private static LettuceClientConfiguration pool(int connections) {
        GenericObjectPoolConfig<io.lettuce.core.api.StatefulConnection<?, ?>> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(connections);
        pool.setMaxWait(Duration.ofSeconds(1));
        return LettucePoolingClientConfiguration.builder()
                .poolConfig(pool)
                .shutdownTimeout(Duration.ZERO)
                .build();
    }

    private static void assertThatBothWork(
            RedisConfiguration servers, LettuceClientConfiguration client, boolean shared, String address) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(servers, client);
        factory.setShareNativeConnection(shared);
        factory.afterPropertiesSet();
        factory.start();
        StringRedisTemplate template = new StringRedisTemplate(factory);
        try (RedisLockExecutor here = process(template);
                RedisLockExecutor there = process(template)) {
            assertThat(RedisAddress.of(factory)).isEqualTo(address);
            LockOutcome.Acquired held = got(attempt(here));
            CompletableFuture<LockOutcome> waiter = attempt(there);
            transaction(template);
            assertThat(held.lease().release()).isEqualTo(ReleaseResult.RELEASED);
            assertThat(got(waiter).lease().release()).isEqualTo(ReleaseResult.RELEASED);
            transaction(template);
        } finally {
            factory.destroy();
        }
    }

    private static RedisLockExecutor process(StringRedisTemplate template) {
        return new RedisLockExecutor(template, "distribution-lock", TestProcess.patient(InstanceName.create()));
    }

    /** Takes a connection of its own. */
    private static void transaction(StringRedisTemplate template) {
        List<?> results = template.execute((RedisCallback<List<?>>) connection -> {
            connection.multi();
            connection.keyCommands().exists("key".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return connection.exec();
        });
        assertThat(results).hasSize(1);
    }

    private static CompletableFuture<LockOutcome> attempt(RedisLockExecutor executor) {
        return executor.acquire(LockRequest.named("name").tryLockTime(LONG).build(), LockOwner.unique());
    }

    private static LockOutcome.Acquired got(CompletableFuture<LockOutcome> attempt) {
        LockOutcome outcome = attempt.orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(outcome).isInstanceOf(LockOutcome.Acquired.class);
        return (LockOutcome.Acquired) outcome;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServer(boolean shared) {
        try (RedisProcess redis = RedisProcess.start()) {
            assertThatBothWork(
                    new RedisStandaloneConfiguration("127.0.0.1", redis.port()),
                    pool(shared ? 2 : 1),
                    shared,
                    "127.0.0.1:" + redis.port() + ", database 0");
        }
    }

    /** The shared connection is one of the pool, whether there are locks or not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMasterAndItsReplicas(boolean pooled) {
        try (ReplicatedRedis redis = ReplicatedRedis.start(RedisBinary.GIVEN, 1)) {
            RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration(
                    "127.0.0.1", redis.master().port());
            int replica = redis.replicas().get(0).port();
            servers.addNode("127.0.0.1", replica);
            assertThatBothWork(
                    servers,
                    pooled ? pool(2) : LettuceClientConfiguration.defaultConfiguration(),
                    true,
                    "the master of 127.0.0.1:" + redis.master().port() + ", 127.0.0.1:" + replica + ", database 0");
        }
    }
}
