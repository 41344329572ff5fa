package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Messages of a Redis user who may publish but has no right to any key: they change nothing that the locks promise. */
@ExtendWith(OutputCaptureExtension.class)
class ForeignMessagesTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String CHANNELS_ONLY = "resetkeys &* -@all +publish +ping +hello +cluster|nodes";
    private static final List<String> CHANNELS =
            List.of("distribution-lock:wake:host:a", "distribution-lock:wake:host:b");

    /** Of both processes, of all kinds and of a quorum's nodes, and of a process that does not exist. */
    private static final List<String> CLAIMS = List.of(
            "host:a:",
            "host:b:",
            "host:a:r",
            "host:b:r",
            "host:a:p1-",
            "host:b:p1-",
            "host:a:1-",
            "host:b:1-",
            "host:c:");

    private static final List<String> MALFORMED = List.of(
            "",
            "granted",
            "wake\nhost:b:1\nname",
            "no\r\nverb\nat all",
            "granted\nhost:b:1\n9223372036854775807\nname",
            "granted\nhost:b:1\n-1\nname",
            "revoked\nhost:a:99999999999999999999\nname",
            "revoked\nhost:a:-1\nname",
            "probe\nhost:b:\nname",
            "probe\n\n",
            "alive",
            "alive\nhost:a:1\nname",
            "granted\nhost:b:1\n" + "x".repeat(1_000_000));

    private final List<LockExecutor> executors = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    @AfterEach
    void end() {
        executors.forEach(each -> each.stop(Duration.ZERO));
        factories.forEach(LettuceConnectionFactory::destroy);
    }

    @ParameterizedTest
    @CsvSource({"REENTRANT,REENTRANT", "FAIR,FAIR", "WRITE,READ", "READ,WRITE", "PERMIT,PERMIT"})
    void onOneServer(LockKind holder, LockKind waiter, CapturedOutput output) {
        try (RedisProcess redis = withGuest()) {
            assertPromisesKept(
                    process(RedisConnections.to(redis.port()), "host:a", MessageMode.AUTO),
                    process(RedisConnections.to(redis.port()), "host:b", MessageMode.AUTO),
                    List.of(guest(redis.port(), false)),
                    List.of(redis),
                    false,
                    holder,
                    waiter);
        }
        assertThat(output.getOut().lines().filter(line -> line.contains("not from this library")))
                .as("one warning of each process")
                .hasSize(2)
                .allMatch(line -> line.contains("resetchannels"));
    }

    @ParameterizedTest
    @EnumSource(
            value = MessageMode.class,
            names = {"CLASSIC", "SHARDED"})
    @Tag("long")
    void inACluster(MessageMode mode) {
        try (RedisCluster cluster = RedisCluster.start(RedisBinary.INSTALLED, 3)) {
            cluster.setUser("guest", "secret", CHANNELS_ONLY + " +spublish");
            assertPromisesKept(
                    process(RedisConnections.to(cluster), "host:a", mode),
                    process(RedisConnections.to(cluster), "host:b", mode),
                    cluster.masters().stream()
                            .map(node -> guest(node.port(), mode == MessageMode.SHARDED))
                            .toList(),
                    cluster.masters(),
                    mode == MessageMode.SHARDED,
                    LockKind.REENTRANT,
                    LockKind.REENTRANT);
        }
    }

    @Test
    void whilePolling() {
        try (RedisProcess redis = withGuest()) {
            assertPromisesKept(
                    process(RedisConnections.to(redis.port()), "host:a", MessageMode.NONE),
                    process(RedisConnections.to(redis.port()), "host:b", MessageMode.NONE),
                    List.of(guest(redis.port(), false)),
                    List.of(),
                    false,
                    LockKind.REENTRANT,
                    LockKind.REENTRANT);
        }
    }

    @Test
    void overAQuorum() {
        try (RedisProcess first = withGuest();
                RedisProcess second = withGuest();
                RedisProcess third = withGuest()) {
            List<RedisProcess> nodes = List.of(first, second, third);
            assertPromisesKept(
                    quorum(nodes, "host:a"),
                    quorum(nodes, "host:b"),
                    nodes.stream().map(node -> guest(node.port(), false)).toList(),
                    nodes,
                    false,
                    LockKind.REENTRANT,
                    LockKind.REENTRANT);
        }
    }

    /** @param listenedTo servers on whose channels both processes listen; none if they poll */
    private static void assertPromisesKept(
            LockExecutor here,
            LockExecutor there,
            List<Forger> guests,
            List<RedisProcess> listenedTo,
            boolean sharded,
            LockKind holder,
            LockKind waiter) {
        Lease held = lease(here.acquire(request(holder), LockOwner.unique()));
        CompletableFuture<LockOutcome> waiting = there.acquire(request(waiter), LockOwner.unique());
        if (!listenedTo.isEmpty()) {
            await().atMost(LONG)
                    .until(() -> listenedTo.stream()
                                    .flatMap(server -> channels(server, sharded))
                                    .distinct()
                                    .filter(CHANNELS::contains)
                                    .count()
                            == 2);
        }

        guests.forEach(ForeignMessagesTest::forge);
        await().during(Duration.ofSeconds(2))
                .atMost(LONG)
                .until(() -> held.isValid()
                        && !waiting.isDone()
                        && here.isLocked("name").join());
        assertThat(held.confirm()).isTrue();

        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = lease(waiting);
        guests.forEach(ForeignMessagesTest::forge);
        assertThat(next.confirm()).isTrue();
        assertThat(next.fencingToken()).isGreaterThan(0);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);

        // The claims that follow were named before they were made.
        Lease last = lease(here.acquire(request(holder), LockOwner.unique()));
        assertThat(last.confirm()).isTrue();
        assertThat(last.release()).isEqualTo(ReleaseResult.RELEASED);

        // Before its servers end, which would have to answer what the messages have led to.
        here.stop(Duration.ZERO);
        there.stop(Duration.ZERO);
    }

    private static Stream<?> channels(RedisProcess server, boolean sharded) {
        return ((List<?>) server.command("PUBSUB", sharded ? "SHARDCHANNELS" : "CHANNELS")).stream();
    }

    private static LockRequest request(LockKind kind) {
        LockRequest.Builder request = LockRequest.named("name").kind(kind).tryLockTime(LONG);
        return (kind == LockKind.PERMIT ? request.permits(1) : request).build();
    }

    /** Publishes with the rights of the guest. */
    private interface Forger {

        void publish(String channel, String message);
    }

    /** Each verb, to each process, about each claim that was, is or will be, again and again; and what is no message at all. */
    private static void forge(Forger guest) {
        for (String channel : CHANNELS) {
            for (int repeat = 0; repeat < 2; repeat++) {
                for (String verb : List.of("granted", "probe", "revoked")) {
                    for (String claim : CLAIMS) {
                        for (int number = 1; number <= 5; number++) {
                            guest.publish(channel, verb + '\n' + claim + number + "\nname");
                            guest.publish(channel, verb + '\n' + claim + number + "\nanother name");
                        }
                    }
                }
                for (String malformed : MALFORMED) {
                    guest.publish(channel, malformed);
                }
            }
        }
    }

    private static void publishSharded(int port, String channel, String message) {
        try (RespClient guest = new RespClient(port)) {
            guest.command("AUTH", "guest", "secret");
            guest.command("SPUBLISH", channel, message);
        } catch (IllegalStateException e) {
            assertThat(e).as("the channel is in a slot of another node").hasMessageContaining("MOVED");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Lease lease(CompletableFuture<LockOutcome> attempt) {
        return ((LockOutcome.Acquired) TestProcess.answer(attempt)).lease();
    }

    private static RedisProcess withGuest() {
        RedisProcess redis = RedisProcess.start();
        redis.command(("ACL SETUSER guest reset on >secret " + CHANNELS_ONLY).split(" "));
        return redis;
    }

    private Forger guest(int port, boolean sharded) {
        if (sharded) {
            return (channel, message) -> publishSharded(port, channel, message);
        }
        StringRedisTemplate guest = template(RedisConnections.to(port, "guest", "secret"));
        return guest::convertAndSend;
    }

    private StringRedisTemplate template(LettuceConnectionFactory factory) {
        factories.add(factory);
        return new StringRedisTemplate(factory);
    }

    private LockExecutor quorum(List<RedisProcess> nodes, String instance) {
        LockExecutor executor = new QuorumLockExecutor(
                nodes.stream()
                        .map(node ->
                                new QuorumNode("127.0.0.1:" + node.port(), template(RedisConnections.to(node.port()))))
                        .toList(),
                new QuorumSettings(QuorumMode.MAJORITY, LONG, 0.01, Duration.ofMillis(50), Duration.ZERO),
                "distribution-lock",
                TestProcess.patient(instance));
        executors.add(executor);
        return executor;
    }

    private LockExecutor process(LettuceConnectionFactory factory, String instance, MessageMode mode) {
        LockExecutor executor = new RedisLockExecutor(
                template(factory),
                "distribution-lock",
                TestProcess.patient(instance),
                ReplicaAcks.NONE,
                new MessageSettings(mode, MessageSettings.MAX_INTERVAL));
        executors.add(executor);
        return executor;
    }
}
