package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
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
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** T2: connections whose packets vanish, while new ones work. Nobody tells of their end; the locks find out by themselves. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SilentConnectionTest {

    /** Ten seconds are promised, and a busy machine may take as long besides. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String REPLACED = "Replaced the lock connection to";
    private static final String REPLACED_SUBSCRIPTION = "Replacing the subscription to the Redis channel";

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private final LettuceConnectionFactory factory = RedisConnections.to(proxy.port());
    private final StringRedisTemplate template = new StringRedisTemplate(factory);
    private final RedisLockExecutor executor =
            new RedisLockExecutor(template, "distribution-lock", EngineSettings.standard(InstanceName.create()));

    @AfterEach
    void end() {
        executor.close();
        factory.destroy();
        proxy.close();
        redis.close();
        threads.assertNoneLeft();
    }

    private LockOutcome attempt(String name, Duration wait) throws Exception {
        LockRequest request = LockRequest.named(name).tryLockTime(wait).build();
        return executor.acquire(request, LockOwner.unique()).get(60, TimeUnit.SECONDS);
    }

    private void connect() {
        await().atMost(LONG)
                .until(() -> attempt("first", Duration.ofSeconds(5)) instanceof LockOutcome.Acquired got
                        && got.lease().release() != null);
    }

    private void awaitLocks() {
        await().atMost(SOON)
                .until(() -> attempt("again", Duration.ZERO) instanceof LockOutcome.Acquired got
                        && got.lease().release() != null);
    }

    private static List<String> linesOf(CapturedOutput output, String text) {
        return output.getOut().lines().filter(line -> line.contains(text)).toList();
    }

    @Test
    void aConnectionThatDiedSilentlyIsReplacedInTime(CapturedOutput output) {
        connect();
        proxy.swallow();
        awaitLocks();
        assertThat(linesOf(output, REPLACED)).hasSize(1).first().asString().contains("127.0.0.1:" + proxy.port());
    }

    @Tag("long")
    @Test
    void anAttemptThatIsUnderWaySucceedsOverTheNewConnection() throws Exception {
        connect();
        proxy.swallow();
        LockRequest patient = LockRequest.named("patient").tryLockTime(LONG).build();
        // The engine gives up what has had no answer at all after the command timeout, whatever the waiting time.
        assertThat(executor.acquire(patient, LockOwner.unique()).get(60, TimeUnit.SECONDS))
                .isNotNull();
        awaitLocks();
    }

    @Tag("long")
    @Test
    void aLeaseIsRenewedAndReleasedOverTheNewConnection() throws Exception {
        connect();
        LockRequest held = LockRequest.named("held")
                .tryLockTime(Duration.ofSeconds(5))
                .renewedLease(Duration.ofSeconds(15))
                .build();
        LockOutcome.Acquired got = (LockOutcome.Acquired)
                executor.acquire(held, LockOwner.unique()).get(60, TimeUnit.SECONDS);
        proxy.swallow();
        await().atMost(LONG)
                .during(Duration.ofSeconds(18))
                .until(() -> got.lease().isValid());
        assertThat(got.lease().release()).isEqualTo(io.distributionlock.ReleaseResult.RELEASED);
    }

    @Test
    void aSubscriptionThatDiedSilentlyIsReplacedInTime(CapturedOutput output) throws Exception {
        connect();
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "60000");
        LockRequest wait =
                LockRequest.named("held").tryLockTime(Duration.ofSeconds(60)).build();
        CompletableFuture<LockOutcome> waiter = executor.acquire(wait, LockOwner.unique());
        await().atMost(LONG)
                .until(() -> !((List<?>) redis.command("PUBSUB", "CHANNELS", "distribution-lock:wake:*")).isEmpty());
        proxy.swallowSubscriptions();
        await().atMost(LONG).until(() -> output.getOut().contains(REPLACED_SUBSCRIPTION));
        redis.command("DEL", "distribution-lock:{held}");
        assertThat(((LockOutcome.Acquired) waiter.get(20, TimeUnit.SECONDS))
                        .lease()
                        .release())
                .isNotNull();
        assertThat(linesOf(output, REPLACED_SUBSCRIPTION)).hasSize(1);
        assertThat(linesOf(output, REPLACED)).isEmpty();
    }

    /** Where replicas acknowledge, each waiter asks by a command of its own. */
    @Test
    void aSubscriptionThatDiedSilentlyIsReplacedAlsoWhereReplicasAcknowledge(CapturedOutput output) {
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "100000");
        try (RedisLockExecutor acknowledged = new RedisLockExecutor(
                template,
                "distribution-lock",
                EngineSettings.standard(InstanceName.create()),
                new ReplicaAcks(1, Duration.ofSeconds(3)))) {
            CompletableFuture<LockOutcome> waiter = acknowledged.acquire(
                    LockRequest.named("held")
                            .tryLockTime(Duration.ofSeconds(90))
                            .build(),
                    LockOwner.unique());
            await().atMost(LONG)
                    .until(() ->
                            !((List<?>) redis.command("PUBSUB", "CHANNELS", "distribution-lock:wake:*")).isEmpty());
            proxy.swallowSubscriptions();
            await().atMost(LONG).until(() -> output.getOut().contains(REPLACED_SUBSCRIPTION));
            waiter.cancel(true);
        }
    }

    @Tag("long")
    @Test
    void aRedisThatIsStoppedForAWhileIsNotLeft(CapturedOutput output) {
        assertStays(output, () -> {
            redis.pause();
            assertThat(attemptFails()).isTrue();
            assertThat(attemptFails()).isTrue();
            assertThat(attemptFails()).isTrue();
            redis.resume();
        });
    }

    @Test
    void ofAttemptsThatFailWhileRedisIsSilentFewAreSentToItLater() throws Exception {
        int attempts = 3_000;
        connect();
        redis.pause();
        // In the first seconds, the silence is not noticed.
        for (int i = 0; i < 3; i++) {
            assertThat(attemptFails()).isTrue();
        }
        List<CompletableFuture<LockOutcome>> failing = new ArrayList<>();
        for (int i = 0; i < attempts; i++) {
            failing.add(executor.acquire(
                    LockRequest.named("other" + i).tryLockTime(Duration.ZERO).build(), LockOwner.unique()));
        }
        for (CompletableFuture<LockOutcome> attempt : failing) {
            assertThat(attempt.get(60, TimeUnit.SECONDS)).isInstanceOf(LockOutcome.BackendFailed.class);
        }
        redis.resume();
        awaitLocks();
        // Each acquire of a free lock that has run leaves its number.
        assertThat((List<?>) redis.command("KEYS", "*other*:fence")).hasSizeLessThan(attempts / 2);
    }

    @Tag("long")
    @Test
    void aRedisThatStandsStillDoesNotCollectConnections() {
        connect();
        redis.pause();
        // One more is given up each few seconds; Lettuce itself waits a minute for it.
        for (int i = 0; i < 20; i++) {
            assertThat(attemptFails()).isTrue();
        }
        // Those of commands and messages, and three that are being opened.
        assertThat(proxy.connections()).isLessThanOrEqualTo(5);
        redis.resume();
        awaitLocks();
        await().atMost(LONG).until(() -> proxy.connections() <= 2);
    }

    @Tag("long")
    @Test
    void aRedisThatHoldsUpCommandsForAWhileIsNotLeft(CapturedOutput output) {
        assertStays(output, () -> {
            redis.command("CLIENT", "PAUSE", "6000", "ALL");
            assertThat(attemptFails()).isTrue();
            assertThat(attemptFails()).isTrue();
        });
    }

    @Tag("long")
    @Test
    void aRedisThatHoldsUpWritesForAWhileIsNotLeft(CapturedOutput output) {
        assertStays(output, () -> {
            redis.command("CLIENT", "PAUSE", "6000", "WRITE");
            assertThat(attemptFails()).isTrue();
            assertThat(attemptFails()).isTrue();
        });
    }

    private boolean attemptFails() {
        try {
            return attempt("again", Duration.ZERO) instanceof LockOutcome.BackendFailed;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void assertStays(CapturedOutput output, Runnable silence) {
        connect();
        String before = commandConnection();
        silence.run();
        await().atMost(LONG)
                .until(() -> attempt("again", Duration.ZERO) instanceof LockOutcome.Acquired got
                        && got.lease().release() != null);
        // What was asked of Redis meanwhile has been answered by now.
        await().during(Duration.ofSeconds(2))
                .atMost(LONG)
                .until(() -> commandConnection().equals(before));
        assertThat(linesOf(output, REPLACED)).isEmpty();
        assertThat(linesOf(output, REPLACED_SUBSCRIPTION)).isEmpty();
    }

    /** The ids of the connections over which scripts are sent, but for those that only looked. */
    private String commandConnection() {
        return String.valueOf(redis.command("CLIENT", "LIST", "TYPE", "NORMAL"))
                .lines()
                .filter(line -> line.contains("cmd=eval"))
                .map(line -> line.split(" ")[0])
                .sorted()
                .toList()
                .toString();
    }

    @Tag("long")
    @Test
    void aMasterThatBecameAReplicaIsLeftForTheOneToWhichTheAddressLeads(CapturedOutput output) {
        try (RedisProcess next = RedisProcess.start()) {
            connect();
            // E12: the connection to the former master stays open.
            redis.command("REPLICAOF", "127.0.0.1", String.valueOf(next.port()));
            proxy.leadTo(next.port());
            awaitLocks();
            // The thread that reconnects says so afterwards.
            await().atMost(LONG).untilAsserted(() -> assertThat(output).containsOnlyOnce("refuses writes (READONLY)"));
        }
    }

    @Tag("long")
    @Test
    void aFirstConnectionThatIsSwallowedWhileItIsMadeHoldsNobodyUp() throws Exception {
        proxy.stick(TcpProxy.Direction.values());
        assertThat(attempt("first", Duration.ofSeconds(1))).isInstanceOf(LockOutcome.BackendFailed.class);
        proxy.swallow();
        proxy.flow();
        awaitLocks();
        // The application's own connection hangs in its making; nobody has to wait for that.
        proxy.cut();
    }

    /** The way may be lost again while a second connection is made, because the first was swallowed. */
    @Tag("long")
    @Test
    void neitherDoesASecondThatIsSwallowedAsWell() throws Exception {
        proxy.stick(TcpProxy.Direction.values());
        assertThat(attempt("first", Duration.ofSeconds(1))).isInstanceOf(LockOutcome.BackendFailed.class);
        int withTheFirst = proxy.connections();
        CompletableFuture<LockOutcome> asked =
                executor.acquire(LockRequest.named("first").tryLockTime(LONG).build(), LockOwner.unique());
        await().atMost(LONG).until(() -> proxy.connections() > withTheFirst);
        proxy.swallow();
        proxy.flow();
        awaitLocks();
        asked.cancel(true);
        proxy.cut();
    }
}
