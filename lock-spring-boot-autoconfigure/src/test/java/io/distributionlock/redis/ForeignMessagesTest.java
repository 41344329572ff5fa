package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Messages of a Redis user who may publish but has no right to any key: they change nothing that the locks promise. */
@ExtendWith(OutputCaptureExtension.class)
class ForeignMessagesTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String CHANNELS_ONLY =
            "resetkeys &* -@all +publish +ping +hello +client|setinfo +cluster|nodes";
    private static final List<String> CHANNELS =
            List.of("distribution-lock:wake:host:a", "distribution-lock:wake:host:b");

    private final List<RedisLockExecutor> executors = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    @AfterEach
    void end() {
        executors.forEach(RedisLockExecutor::close);
        factories.forEach(LettuceConnectionFactory::destroy);
    }

    @ParameterizedTest
    @EnumSource(
            value = LockKind.class,
            names = {"REENTRANT", "FAIR", "WRITE"})
    void onOneServer(LockKind kind, CapturedOutput output) {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command(("ACL SETUSER guest reset on >secret " + CHANNELS_ONLY).split(" "));
            assertPromisesKept(
                    process(RedisConnections.to(redis.port()), "host:a", MessageMode.AUTO),
                    process(RedisConnections.to(redis.port()), "host:b", MessageMode.AUTO),
                    guest(RedisConnections.to(redis.port(), "guest", "secret")),
                    List.of(redis),
                    kind);
        }
        assertThat(output.getOut().lines().filter(line -> line.contains("none of this library")))
                .as("one warning of each process")
                .hasSize(2)
                .allMatch(line -> line.contains("resetchannels"));
    }

    @Test
    @Tag("long")
    void inACluster() {
        try (RedisCluster cluster = RedisCluster.start(RedisBinary.INSTALLED, 3)) {
            cluster.setUser("guest", "secret", CHANNELS_ONLY);
            assertPromisesKept(
                    process(RedisConnections.to(cluster), "host:a", MessageMode.CLASSIC),
                    process(RedisConnections.to(cluster), "host:b", MessageMode.CLASSIC),
                    guest(RedisConnections.to(cluster.masters().get(0).port(), "guest", "secret")),
                    cluster.masters(),
                    LockKind.REENTRANT);
        }
    }

    @Test
    void whilePolling() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command(("ACL SETUSER guest reset on >secret " + CHANNELS_ONLY).split(" "));
            assertPromisesKept(
                    process(RedisConnections.to(redis.port()), "host:a", MessageMode.NONE),
                    process(RedisConnections.to(redis.port()), "host:b", MessageMode.NONE),
                    guest(RedisConnections.to(redis.port(), "guest", "secret")),
                    List.of(),
                    LockKind.REENTRANT);
        }
    }

    /** @param listenedTo servers on whose channels both processes listen; none if they poll */
    private static void assertPromisesKept(
            RedisLockExecutor here,
            RedisLockExecutor there,
            StringRedisTemplate guest,
            List<RedisProcess> listenedTo,
            LockKind kind) {
        LockRequest request =
                LockRequest.named("name").kind(kind).tryLockTime(LONG).build();
        Lease held = lease(here.acquire(request, LockOwner.unique()));
        CompletableFuture<LockOutcome> waiting = there.acquire(request, LockOwner.unique());
        if (!listenedTo.isEmpty()) {
            await().atMost(LONG)
                    .until(() -> listenedTo.stream()
                                    .flatMap(server -> ((List<?>) server.command("PUBSUB", "CHANNELS")).stream())
                                    .distinct()
                                    .filter(CHANNELS::contains)
                                    .count()
                            == 2);
        }

        forge(guest);
        await().during(Duration.ofSeconds(2))
                .atMost(LONG)
                .until(() -> held.isValid()
                        && !waiting.isDone()
                        && here.isLocked("name").join());
        assertThat(held.confirm()).isTrue();
        assertThat(here.counters().lostLeases()).isZero();

        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = lease(waiting);
        forge(guest);
        assertThat(next.confirm()).isTrue();
        assertThat(next.fencingToken()).isGreaterThan(0);
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);

        // The claims that follow were named before they were made.
        Lease last = lease(here.acquire(request, LockOwner.unique()));
        assertThat(last.confirm()).isTrue();
        assertThat(last.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(there.counters().lostLeases()).isZero();
    }

    /** Each verb, to each process, about each claim that was, is or will be, again and again; and what is no message at all. */
    private static void forge(StringRedisTemplate guest) {
        for (String channel : CHANNELS) {
            for (int repeat = 0; repeat < 2; repeat++) {
                for (String verb : List.of("granted", "asked", "revoked")) {
                    for (String claim : List.of("host:a:", "host:b:", "host:a:r", "host:b:p1-", "host:c:")) {
                        for (int number = 1; number <= 5; number++) {
                            guest.convertAndSend(channel, verb + '\n' + claim + number + "\nname");
                        }
                    }
                }
                for (String malformed : List.of(
                        "",
                        "granted",
                        "no\r\nverb\nat all",
                        "granted\nhost:a:1\n9223372036854775000\nname",
                        "revoked\nhost:a:99999999999999999999\nname",
                        "asked\nhost:b:\nname",
                        "asked\n\n",
                        "alive\nhost:a:1\nname")) {
                    guest.convertAndSend(channel, malformed);
                }
            }
        }
    }

    private static Lease lease(CompletableFuture<LockOutcome> attempt) {
        return ((LockOutcome.Acquired) TestProcess.answer(attempt)).lease();
    }

    private StringRedisTemplate guest(LettuceConnectionFactory factory) {
        factories.add(factory);
        return new StringRedisTemplate(factory);
    }

    private RedisLockExecutor process(LettuceConnectionFactory factory, String instance, MessageMode mode) {
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory),
                "distribution-lock",
                EngineSettings.standard(instance),
                ReplicaAcks.NONE,
                new MessageSettings(mode, MessageSettings.LONGEST));
        executors.add(executor);
        return executor;
    }
}
