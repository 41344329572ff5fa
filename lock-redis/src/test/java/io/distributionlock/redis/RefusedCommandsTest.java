package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The check at the start names what a server or a user lacks. The commands are those of the rule for users, which
 * {@link RedisRightsTest} compares with the scripts.
 */
@Tag("server")
@Tag("boot4")
@Tag("long")
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedCommandsTest {

    private static final String PREFIX = "distribution-lock";
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** The client does without these, and waiters without messages. */
    private static final Set<String> DISPENSABLE =
            Set.of("publish", "subscribe", "unsubscribe", "ping", "hello", "select");

    private RedisProcess redis;

    @BeforeAll
    void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    void end() {
        redis.close();
    }

    private static Stream<String> commands() {
        return Arrays.stream(RedisAcl.rule(PREFIX).split(" "))
                .filter(word -> word.startsWith("+"))
                .map(word -> word.substring(1));
    }

    static Stream<String> neededCommands() {
        return commands().filter(command -> !DISPENSABLE.contains(command));
    }

    static Stream<String> dispensableCommands() {
        return commands().filter(DISPENSABLE::contains);
    }

    @ParameterizedTest
    @MethodSource("neededCommands")
    void aCommandThatTheUserMayNotRunIsNamed(String command) {
        allow("-" + command);
        assertThatThrownBy(() -> checkAsUser())
                .isInstanceOf(BackendProblemException.class)
                .hasMessageContaining("lacks permissions that locks need")
                .hasMessageContaining("ACL SETUSER")
                .satisfies(problem -> assertNamesOnly(command, problem));
    }

    @ParameterizedTest
    @MethodSource("dispensableCommands")
    void withoutADispensableCommandLocksCanBeAcquired(String command) {
        allow("-" + command);
        checkAsUser();
    }

    @ParameterizedTest
    @MethodSource("neededCommands")
    void aCommandThatTheServerDoesNotKnowIsNamed(String command) {
        try (RedisProcess without = RedisProcess.start(RedisBinary.GIVEN, "--rename-command", command, "")) {
            assertThatThrownBy(() -> check(RedisConnections.to(without.port())))
                    .isInstanceOf(BackendProblemException.class)
                    .hasMessageNotContaining("ACL SETUSER")
                    .satisfies(problem -> assertNamesOnly(command, problem));
        }
    }

    /** Redis names a refused command that a client has sent; those in scripts are tried one by one. */
    private static void assertNamesOnly(String command, Throwable problem) {
        String description = ((BackendProblemException) problem).description();
        if (command.startsWith("eval")) {
            assertThat(description.toLowerCase(Locale.ROOT)).containsPattern("['`]" + command + "['`]");
            return;
        }
        List<String> named = neededCommands()
                .map(needed -> needed.toUpperCase(Locale.ROOT))
                .filter(needed -> description.matches(".*: (.*, )?" + needed + "(, .*)? \\(.*"))
                .toList();
        assertThat(named).describedAs(description).containsExactly(command.toUpperCase(Locale.ROOT));
    }

    @Test
    void withJedisRefusedCommandsAreNamedToo() {
        allow("-zadd", "-hset");
        assertThatThrownBy(() -> check(jedis())).hasMessageContaining("ZADD").hasMessageContaining("HSET (");
        allow();
        check(jedis());
    }

    private JedisConnectionFactory jedis() {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", redis.port());
        server.setUsername("locks");
        server.setPassword("secret");
        JedisConnectionFactory connections = new JedisConnectionFactory(server);
        connections.afterPropertiesSet();
        connections.start();
        return connections;
    }

    @Test
    void whereReplicasMustAcknowledgeARefusedWaitIsNamed() {
        ReplicaAcks acks = new ReplicaAcks(1, Duration.ofMillis(100));
        allow();
        assertThatThrownBy(() -> check(RedisConnections.to(redis.port(), "locks", "secret"), acks))
                .hasMessageContaining("'wait'")
                .hasMessageContaining("+wait");
        try (RedisProcess without = RedisProcess.start(RedisBinary.GIVEN, "--rename-command", "wait", "")) {
            assertThatThrownBy(() -> check(RedisConnections.to(without.port()), acks))
                    .hasMessageContaining("unknown command")
                    .hasMessageContaining("distribution-lock.redis.min-replicas-to-ack");
        }
    }

    @Test
    void aRefusedWaitFailsTheAttemptAndIsNoOutage(CapturedOutput output) {
        try (RedisProcess without = RedisProcess.start(RedisBinary.GIVEN, "--rename-command", "wait", "")) {
            LettuceConnectionFactory connections = RedisConnections.to(without.port());
            RedisLockExecutor executor = new RedisLockExecutor(
                    new StringRedisTemplate(connections),
                    PREFIX,
                    EngineSettings.standard(InstanceName.create()).withCommandTimeout(ANSWER),
                    new ReplicaAcks(1, Duration.ofMillis(100)));
            LockRequest once = LockRequest.named("order").tryLockTime(ANSWER).build();
            assertThat(executor.acquire(once, LockOwner.unique()))
                    .succeedsWithin(ANSWER)
                    .isInstanceOfSatisfying(
                            LockOutcome.NotReplicated.class,
                            failed -> assertThat(failed.cause()).hasMessageContaining("unknown command"));
            await().atMost(ANSWER).until(() -> Objects.equals(without.command("EXISTS", PREFIX + ":{order}"), 0L));
            executor.stop(Duration.ZERO);
            connections.destroy();
        }
        assertThat(output).doesNotContain("out of service");
    }

    @Test
    void aUserWhoMayNotTouchTheKeysIsToldSo() {
        allow("resetkeys", "~elsewhere:*");
        assertThatThrownBy(() -> checkAsUser())
                .hasMessageContaining("o permissions to access")
                .hasMessageContaining("~" + PREFIX + ":{*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"resetchannels", "-publish"})
    void thatScriptsMayNotPublishIsWarnedOf(String change, CapturedOutput output) {
        allow(change);
        checkAsUser();
        assertThat(output).contains("refuses PUBLISH in scripts (", "grant +publish and &" + PREFIX + ":wake:*");
    }

    @Test
    void theCheckLeavesNothing() {
        redis.command("FLUSHALL");
        check(RedisConnections.to(redis.port()));
        assertThat((List<?>) redis.command("KEYS", "*")).isEmpty();
    }

    @Test
    void aServerWithFullMemoryIsReportedAsThat() {
        try (RedisProcess full = RedisProcess.start(RedisBinary.GIVEN, "--maxmemory", "1")) {
            assertThatThrownBy(() -> check(RedisConnections.to(full.port()))).hasMessageContaining("memory");
        }
    }

    @Test
    void whatCannotBeSeenWithoutInfoIsSaid(CapturedOutput output) {
        allow();
        checkAsUser();
        assertThat(output).contains("does not report its version and its maxmemory-policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"info", "config", "acl", "command", "script"})
    void aServerWithoutACommandThatOnlyHelpsDoesNotStopTheStart(String command, CapturedOutput output) {
        try (RedisProcess without = RedisProcess.start(RedisBinary.GIVEN, "--rename-command", command, "")) {
            check(RedisConnections.to(without.port()));
            assertThat(output.toString().contains("does not report its version and its maxmemory-policy"))
                    .isEqualTo(command.equals("info"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "allkeys-lru, 100mb, true",
        "allkeys-random, 100mb, true",
        "volatile-lru, 100mb, true",
        "volatile-ttl, 100mb, true",
        "noeviction, 100mb, false",
        "volatile-lru, 0, false",
        "allkeys-lfu, 0, false"
    })
    void aPolicyThatEvictsLocksIsWarnedOf(String policy, String limit, boolean warned, CapturedOutput output) {
        redis.command("CONFIG", "SET", "maxmemory-policy", policy);
        redis.command("CONFIG", "SET", "maxmemory", limit);
        try {
            check(RedisConnections.to(redis.port()));
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
            redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
        assertThat(output.toString().contains("Redis may evict held locks")).isEqualTo(warned);
        assertThat(output.toString().contains("maxmemory-policy is '" + policy + "'"))
                .isEqualTo(warned);
        assertThat(output.toString().contains("all keys of locks have a TTL"))
                .isEqualTo(warned && policy.startsWith("volatile"));
        assertThat(output.toString().contains("Nothing is evicted at present")).isEqualTo(limit.equals("0"));
    }

    /** The rights that locks need, then these changes. */
    private void allow(String... changes) {
        String rule = "ACL SETUSER locks reset on >secret " + RedisAcl.rule(PREFIX);
        String[] words = Stream.concat(Arrays.stream(rule.split(" ")), Arrays.stream(changes))
                .toArray(String[]::new);
        assertThat(redis.command(words)).isEqualTo("OK");
        redis.command("SCRIPT", "FLUSH");
    }

    private void checkAsUser() {
        check(RedisConnections.to(redis.port(), "locks", "secret"));
    }

    private static void check(RedisConnectionFactory connections) {
        check(connections, ReplicaAcks.NONE);
    }

    private static void check(RedisConnectionFactory connections, ReplicaAcks acks) {
        StringRedisTemplate template = new StringRedisTemplate(connections);
        try (RedisLockExecutor executor = new RedisLockExecutor(
                template, PREFIX, EngineSettings.standard(InstanceName.create()).withCommandTimeout(ANSWER), acks)) {
            new RedisStartupCheck("", executor, "spring.data.redis.*", ANSWER).run();
        } finally {
            destroy((DisposableBean) connections);
        }
    }

    private static void destroy(DisposableBean connections) {
        try {
            connections.destroy();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
