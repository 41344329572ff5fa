package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespClient;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The documented user gets locks with each client, and nothing that belongs to others. */
@Tag("server")
@Tag("boot4")
class LeastRightsTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theUserGetsLocksAndNothingElse(boolean jedis) throws Exception {
        theUserGetsLocksAndNothingElse(RedisBinary.GIVEN, jedis);
    }

    /** Since Redis 7, rights can differ by subcommand. */
    @Tag("long")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onANewerRedisTheUserGetsLocksAndNothingElse(boolean jedis) throws Exception {
        theUserGetsLocksAndNothingElse(RedisBinary.INSTALLED, jedis);
    }

    private static void theUserGetsLocksAndNothingElse(RedisBinary binary, boolean jedis) throws Exception {
        try (RedisProcess redis = RedisProcess.start(binary)) {
            String rule = "ACL SETUSER locks reset on >secret " + RedisAcl.rule("shop");
            assertThat(redis.command(rule.split(" "))).isEqualTo("OK");
            getsALock(redis, jedis);
            assertThat(redis.refusals()).isEmpty();
            try (RespClient user = new RespClient(redis.port())) {
                user.command("AUTH", "locks", "secret");
                for (String refused : new String[] {
                    "CLIENT PAUSE 1",
                    "CLIENT KILL TYPE normal",
                    "CLIENT LIST",
                    "GET shop:reports:{order:1}",
                    "GET shop2:{order:1}",
                    "PUBLISH shop:reports:wake:a x",
                    "EVAL return(redis.call('get',KEYS[1])) 1 shop:reports:{order:1}",
                    "KEYS *",
                    "FLUSHALL"
                }) {
                    assertThat(answer(user, refused.split(" "))).as(refused).contains("ermission");
                }
            }
        }
    }

    private static String answer(RespClient user, String... words) throws Exception {
        try {
            return String.valueOf(user.command(words));
        } catch (IllegalStateException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private static void getsALock(RedisProcess redis, boolean jedis) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", redis.port());
        server.setUsername("locks");
        server.setPassword("secret");
        if (jedis) {
            JedisConnectionFactory connections = new JedisConnectionFactory(
                    server, JedisClientConfiguration.builder().usePooling().build());
            connections.afterPropertiesSet();
            connections.start();
            lockOver(connections);
            connections.destroy();
        } else {
            LettuceConnectionFactory connections = new LettuceConnectionFactory(server);
            connections.afterPropertiesSet();
            connections.start();
            lockOver(connections);
            connections.destroy();
        }
    }

    private static void lockOver(RedisConnectionFactory connections) {
        StringRedisTemplate template = new StringRedisTemplate(connections);
        try (RedisLockExecutor executor = new RedisLockExecutor(template, "shop", TestProcess.patient("rights"))) {
            LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
            Lease lease = locks.acquire(LockRequest.named("order:1")
                    .tryLockTime(Duration.ofSeconds(20))
                    .fenced()
                    .build());
            assertThat(lease.isValid()).isTrue();
            lease.release();
        }
    }
}
