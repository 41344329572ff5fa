package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.testing.RedisMonitor;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A free lock is acquired by a plain SET and released by a comparison; whatever else it takes follows by scripts. */
@Tag("server")
@Tag("boot4")
class AcquireUncontendedTest {

    private static final long LEASE = 60_000;
    private static final Duration SOON = Duration.ofSeconds(15);

    private static final String OWNER = "distribution-lock:{order}";
    private static final String FENCE = OWNER + ":fence";
    private static final String QUEUE = OWNER + ":queue";

    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private RedisConnectionFactory factory;
    private RedisCommandPort port;

    private void use(Client client) {
        factory = client.to(proxy.port());
        port = new RedisCommandPort(new StringRedisTemplate(factory), TestProcess.settings("host:a"));
        port.attach(new RecordingListener());
        // Connects, and tells Redis the scripts.
        acquire("host:a:0");
        port.number("order", "host:a:0", LEASE).join();
        release("host:a:0");
        assertThat(TestProcess.answer(port.isLocked("order"))).isFalse();
        redis.command("DEL", FENCE);
        redis.resetCalls();
    }

    @AfterEach
    void end() {
        port.close();
        Client.end(factory);
        proxy.close();
        redis.close();
    }

    private AcquireReply acquire(String claim) {
        return TestProcess.answer(port.acquireUncontended("order", claim, LEASE, true));
    }

    private ReleaseReply release(String claim) {
        return TestProcess.answer(port.releaseUncontended("order", claim));
    }

    private long number(String claim, long leaseMillis) {
        return TestProcess.answer(port.number("order", claim, leaseMillis));
    }

    private List<?> keys() {
        return (List<?>) Objects.requireNonNull(redis.command("KEYS", "*"));
    }

    private long life(String key) {
        return (Long) Objects.requireNonNull(redis.command("PTTL", key));
    }

    private void holdElsewhere() {
        redis.command("SET", OWNER, "host:b:1", "PX", String.valueOf(LEASE));
    }

    /** Before the first uncontended acquire, commands find out how the server releases. A duplicate must not free what is held by then. */
    @ParameterizedTest
    @EnumSource
    void beforeItIsAcquiredNothingNamesTheClaim(Client client) {
        use(client);
        RedisCommandPort fresh = new RedisCommandPort(new StringRedisTemplate(factory), TestProcess.settings("host:c"));
        try (RedisMonitor monitor = new RedisMonitor(redis)) {
            TestProcess.answer(fresh.acquireUncontended("order", "host:c:7", LEASE, true));
            await().atMost(SOON).until(() -> monitor.lines().stream().anyMatch(line -> line.contains("\"host:c:7\"")));
            List<String> lines = monitor.lines();
            assertThat(lines).anyMatch(line -> line.contains("\"host:c:0\""));
            assertThat(lines)
                    .filteredOn(line -> line.contains("host:c:7"))
                    .first()
                    .asString()
                    .contains("\"SET\"", "\"NX\"");
        } finally {
            fresh.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFreeLockCostsFewCommandsAndLeavesNothing(Client client) {
        use(client);
        for (int i = 1; i <= 10; i++) {
            assertThat(acquire("host:a:" + i)).isEqualTo(new AcquireReply.Ok(0, 0));
            if (i == 1) {
                assertThat(redis.command("GET", OWNER)).isEqualTo("host:a:1");
                assertThat(life(OWNER)).isBetween(LEASE - 15_000, LEASE);
                redis.resetCalls();
            }
            assertThat(release("host:a:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
        long all = redis.calls();
        Map<String, Long> calls = new HashMap<>();
        Map<String, Long> expected = redis.compareAndDelete()
                .map(command -> Map.of("set", 9L, command, 10L))
                .orElse(Map.of("set", 9L, "evalsha", 10L, "get", 10L, "del", 10L));
        expected.keySet().forEach(command -> calls.put(command, redis.calls(command)));
        assertThat(calls).isEqualTo(expected);
        assertThat(all)
                .isEqualTo(expected.values().stream().mapToLong(Long::longValue).sum());
        assertThat(keys()).isEmpty();
    }

    /** Redis has refused the SET, and the answer is on its way. */
    @ParameterizedTest
    @EnumSource
    void whatIsCancelledBeforeTheScriptSendsNoScript(Client client) {
        use(client);
        holdElsewhere();
        redis.resetCalls();
        proxy.stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<AcquireReply> attempt = port.acquireUncontended("order", "host:a:1", LEASE, true);
        await().atMost(SOON).until(() -> redis.calls("set") == 1);

        assertThat(attempt.cancel(false)).isTrue();
        proxy.flow();

        assertThat(attempt).isCancelled();
        // In order, so that a script would have run before: it would have queued the claim, and guarded the lock.
        assertThat(TestProcess.answer(port.isLocked("order"))).isTrue();
        assertThat(keys()).isEqualTo(List.of(OWNER));
        assertThat(redis.command("GET", OWNER)).isEqualTo("host:b:1");
    }

    @ParameterizedTest
    @EnumSource
    void scriptsThatRedisForgotAreSentAgain(Client client) {
        use(client);
        for (int i = 1; i <= 3; i++) {
            acquire("host:a:" + i);
            redis.command("SCRIPT", "FLUSH");
            assertThat(number("host:a:" + i, LEASE)).isPositive();
            redis.command("SCRIPT", "FLUSH");
            assertThat(release("host:a:" + i)).isEqualTo(ReleaseReply.RELEASED);
        }
        holdElsewhere();
        redis.command("SCRIPT", "FLUSH");
        assertThat(acquire("host:a:4")).isInstanceOf(AcquireReply.Busy.class);
        redis.command("SCRIPT", "FLUSH");
        assertThat(release("host:a:4")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(redis.command("EXISTS", QUEUE))
                .as("the full release follows")
                .isEqualTo(0L);
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatMayNotBeWrittenToIsAskedAgain(Client client) {
        use(client);
        redis.command("REPLICAOF", "127.0.0.1", "1");
        assertThatThrownBy(() -> port.acquireUncontended("order", "host:a:1", LEASE, true)
                        .get(15, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(TryAgainException.class)
                .hasMessageContaining("READONLY")
                .satisfies(refusal -> assertThat(port.explained(refusal))
                        .hasMessageContaining("connected to a replica")
                        .hasMessageContaining("the Sentinels or the Cluster"));
        redis.command("REPLICAOF", "NO", "ONE");
        assertThat(acquire("host:a:2")).isEqualTo(new AcquireReply.Ok(0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void aNumberIsAskedForAgainUntilTheServerMayBeWrittenTo(Client client) {
        use(client);
        acquire("host:a:1");
        redis.command("REPLICAOF", "127.0.0.1", "1");
        CompletableFuture<Long> number = port.number("order", "host:a:1", LEASE);
        await().atMost(SOON).until(() -> redis.calls("evalsha") >= 2);
        redis.command("REPLICAOF", "NO", "ONE");
        assertThat(TestProcess.answer(number)).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRefusedForGoodIsSaidWithItsRemedy(Client client) {
        use(client);
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertRefused("maxmemory");
        redis.command("CONFIG", "SET", "maxmemory", "0");
        redis.command("ACL", "SETUSER", "default", "-set");
        assertRefused("ACL SETUSER");
        redis.command("ACL", "SETUSER", "default", "+set");
        assertThat(acquire("host:a:2")).isEqualTo(new AcquireReply.Ok(0, 0));
    }

    private void assertRefused(String remedy) {
        assertThatThrownBy(() -> port.acquireUncontended("order", "host:a:1", LEASE, true)
                        .get(15, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isNotInstanceOf(TryAgainException.class)
                .hasMessageContaining(remedy);
        assertThat(keys()).isEmpty();
    }
}
