package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A connection factory that leads each tenant to a Redis of its own, by the thread: what the application stores follows the tenant, its locks
 * do not, since the library sends their commands on its own threads. docs/recipes.md says so.
 */
class TenantRoutingTest {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    @Test
    void theLockDoesNotFollowTheTenant() {
        try (RedisProcess shared = RedisProcess.start();
                RedisProcess own = RedisProcess.start()) {
            Routing routing = new Routing(JedisConnections.to(shared.port()), JedisConnections.to(own.port()));
            LockContextRunner.plain()
                    .withBean(RedisConnectionFactory.class, () -> routing)
                    .withBean(StringRedisTemplate.class, () -> new StringRedisTemplate(routing))
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        TENANT.set("has its own");
                        context.getBean(StringRedisTemplate.class).opsForValue().set("stored", "there");
                        try (Lease held = locks.acquire("order:1")) {
                            assertThat(CompletableFuture.supplyAsync(() -> {
                                                TENANT.set("another");
                                                return locks.tryAcquire(locks.request("order:1")
                                                        .tryLockTime(Duration.ZERO)
                                                        .build());
                                            })
                                            .join())
                                    .isEmpty();
                            assertThat(own.command("EXISTS", "stored")).isEqualTo(1L);
                            assertThat(own.command("DBSIZE")).isEqualTo(1L);
                            assertThat(shared.command("EXISTS", "distribution-lock:{order:1}"))
                                    .isEqualTo(1L);
                        } finally {
                            TENANT.remove();
                        }
                    });
            routing.destroy();
        }
    }

    /** Leads the tenant that has its own Redis to that, and who is no tenant, or another one, to the shared one. */
    private static final class Routing implements RedisConnectionFactory {

        private final JedisConnectionFactory shared;
        private final Map<String, JedisConnectionFactory> own = new ConcurrentHashMap<>();

        Routing(JedisConnectionFactory shared, JedisConnectionFactory own) {
            this.shared = shared;
            this.own.put("has its own", own);
        }

        private JedisConnectionFactory current() {
            String tenant = TENANT.get();
            return tenant == null ? shared : own.getOrDefault(tenant, shared);
        }

        void destroy() {
            shared.destroy();
            own.values().forEach(JedisConnectionFactory::destroy);
        }

        @Override
        public RedisConnection getConnection() {
            return current().getConnection();
        }

        @Override
        public RedisClusterConnection getClusterConnection() {
            return current().getClusterConnection();
        }

        @Override
        public RedisSentinelConnection getSentinelConnection() {
            return current().getSentinelConnection();
        }

        @Override
        public boolean getConvertPipelineAndTxResults() {
            return true;
        }

        @Override
        public @Nullable DataAccessException translateExceptionIfPossible(RuntimeException exception) {
            return current().translateExceptionIfPossible(exception);
        }
    }
}
