package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.ReleaseResult;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Another application keeps something else under the key of a lock: no lock is granted there, and nothing of it is overwritten. */
@Tag("server")
@Tag("boot4")
class ForeignKeysTest {

    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final String OWNER = "distribution-lock:{order}";

    private final RedisProcess redis = RedisProcess.start();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>(List.of(redis));

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T ended(T resource) {
        opened.push(resource);
        return resource;
    }

    private LettuceConnectionFactory lettuceTo(RedisProcess server) {
        LettuceConnectionFactory factory = RedisConnections.to(server.port());
        ended(factory::destroy);
        return factory;
    }

    private LockTemplate locks(LockExecutor executor) {
        return new LockTemplate(executor, LockDefaults.STANDARD);
    }

    private LockTemplate locks(RedisConnectionFactory factory) {
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory), "distribution-lock", TestProcess.patient("host:" + opened.size()));
        return locks(stopped(executor));
    }

    private <T extends LockExecutor> T stopped(T executor) {
        ended(() -> executor.stop(Duration.ZERO));
        return executor;
    }

    private static LockRequest request(LockKind kind) {
        LockRequest.Builder request = LockRequest.named("order").tryLockTime(PATIENT);
        return (kind == LockKind.PERMIT ? request.permits(2) : request.kind(kind)).build();
    }

    static Stream<LockRequest> requests() {
        return Stream.concat(
                Stream.of(LockKind.values()).map(ForeignKeysTest::request),
                Stream.of(request(LockKind.REENTRANT).toBuilder().fenced().build()));
    }

    /** Before and after this process has run a script, which decides how it asks. */
    @ParameterizedTest
    @MethodSource("requests")
    void noKindOfLockIsGrantedInItsPlace(LockRequest request) {
        LockTemplate locks = locks(lettuceTo(redis));
        assertRefused(locks, request);
        locks.acquire("invoice").close();
        assertRefused(locks, request);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void noKindOfLockIsGrantedInItsPlaceToJedis(LockRequest request) {
        JedisConnectionFactory factory = JedisConnections.to(redis.port());
        ended(factory::destroy);
        LockTemplate locks = locks(factory);
        assertRefused(locks, request);
        locks.acquire("invoice").close();
        assertRefused(locks, request);
    }

    private void assertRefused(LockTemplate locks, LockRequest request) {
        for (Foreign foreign : Foreign.values()) {
            foreign.writeTo(redis, OWNER);
            assertThatThrownBy(() -> locks.acquire(request))
                    .as("%s, %s", foreign, request)
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("lock 'order'")
                    .hasMessageContaining("'" + OWNER + "'")
                    .hasMessageContaining("another application")
                    .hasMessageContaining("Delete")
                    .hasMessageContaining("distribution-lock.redis.key-prefix");
            foreign.assertUntouched(redis, OWNER);
        }
        redis.command("DEL", OWNER);
        locks.acquire(request).close();
        redis.command("DEL", OWNER + ":fence");
        assertThat((List<?>) redis.command("KEYS", "*order*")).isEmpty();
    }

    @Test
    void ofSeveralLocksNoneIsGranted() {
        Foreign.LIST.writeTo(redis, OWNER);
        LockTemplate locks = locks(lettuceTo(redis));
        MultiLock several = MultiLock.of(
                locks,
                Stream.of("invoice", "order", "stock")
                        .map(name ->
                                LockRequest.named(name).tryLockTime(PATIENT).build())
                        .toList());
        assertThatThrownBy(() -> several.execute(() -> "never"))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("'" + OWNER + "'");
        Foreign.LIST.assertUntouched(redis, OWNER);
        for (String free : List.of("invoice", "stock")) {
            locks(lettuceTo(redis)).acquire(free).close();
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aHeldLockThatIsReplacedIsLost(LockRequest request) {
        LockTemplate locks = locks(lettuceTo(redis));
        for (int i = 0; i < 2; i++) {
            Lease lease = locks.acquire(request);
            Foreign.LIST.writeTo(redis, OWNER);
            if (i == 0) {
                assertThat(lease.extend(Duration.ofMinutes(5))).isFalse();
            }
            assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
            Foreign.LIST.assertUntouched(redis, OWNER);
            redis.command("DEL", OWNER);
        }
    }

    @Test
    void aQuorumGoesOnWithTheNodesThatHaveNoneOfIt() {
        List<RedisProcess> servers = List.of(redis, ended(RedisProcess.start()), ended(RedisProcess.start()));
        List<QuorumNode> nodes = new ArrayList<>();
        for (RedisProcess server : servers) {
            nodes.add(new QuorumNode("node" + nodes.size(), new StringRedisTemplate(lettuceTo(server))));
        }
        LockTemplate locks = locks(stopped(new QuorumLockExecutor(
                nodes,
                new QuorumSettings(QuorumMode.MAJORITY, PATIENT, 0.01, Duration.ofMillis(50), Duration.ZERO),
                "distribution-lock",
                TestProcess.patient("host:q"))));
        Foreign.LIST.writeTo(redis, OWNER);
        try (Lease lease = locks.acquire(request(LockKind.REENTRANT))) {
            assertThat(lease.isValid()).isTrue();
        }
        Foreign.LIST.assertUntouched(redis, OWNER);

        Foreign.LIST.writeTo(servers.get(1), OWNER);
        assertThatThrownBy(() -> locks.acquire(request(LockKind.REENTRANT)))
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("2 of 3 nodes")
                .hasMessageContaining("'" + OWNER + "'")
                .hasMessageContaining("Delete");
        Foreign.LIST.assertUntouched(redis, OWNER);
        Foreign.LIST.assertUntouched(servers.get(1), OWNER);
    }

    /** What another application may keep there, of each type but that of a claim. */
    private enum Foreign {
        LIST("LPUSH %s x", "LRANGE %s 0 -1", "[x]"),
        SET("SADD %s x", "SMEMBERS %s", "[x]"),
        HASH("HSET %s field x", "HGETALL %s", "[field, x]"),
        SORTED_SET("ZADD %s 1 x", "ZRANGE %s 0 -1", "[x]"),
        STREAM("XADD %s 1-1 field x", "XRANGE %s - +", "[[1-1, [field, x]]]");

        private final String write;
        private final String read;
        private final String content;

        Foreign(String write, String read, String content) {
            this.write = write;
            this.read = read;
            this.content = content;
        }

        void writeTo(RedisProcess server, String key) {
            server.command("DEL", key);
            server.command(String.format(write, key).split(" "));
        }

        void assertUntouched(RedisProcess server, String key) {
            assertThat(server.command(String.format(read, key).split(" "))).hasToString(content);
            assertThat(server.command("PTTL", key)).isEqualTo(-1L);
        }
    }
}
