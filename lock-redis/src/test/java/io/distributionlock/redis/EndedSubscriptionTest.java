package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A proxy that ends each connection over which something is subscribed to: some do so at once, some once it is confirmed. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class EndedSubscriptionTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration AT_ONCE = Duration.ofMillis(50);

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private final LettuceConnectionFactory factory = RedisConnections.to(proxy.port());
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory), "distribution-lock", EngineSettings.standard(InstanceName.create()));

    @AfterEach
    void end() {
        executor.close();
        factory.destroy();
        proxy.close();
        redis.close();
        threads.assertNoneLeft();
    }

    private CompletableFuture<LockOutcome> attempt() {
        return executor.acquire(LockRequest.named("held").tryLockTime(LONG).build(), LockOwner.unique());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\r\nSUBSCRIBE\r\n", "\r\nsubscribe\r\n"})
    void waitersPollAndThePausesBetweenSubscriptionsGrow(String lastWords, CapturedOutput output) throws Exception {
        proxy.cutAt(lastWords);
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "100000");
        CompletableFuture<LockOutcome> waiter = attempt();
        await().atMost(LONG).until(() -> output.getOut().contains("Cannot subscribe to the Redis channel"));
        int before = proxy.connectionsMade();
        await().during(Duration.ofSeconds(4)).atMost(LONG).until(() -> !waiter.isDone());
        // Without pauses, there are twenty a second.
        assertThat(proxy.connectionsMade() - before).isLessThan(20);
        assertThat(output.getOut().lines().filter(line -> line.contains("Cannot subscribe")))
                .hasSize(1);
        redis.command("DEL", "distribution-lock:{held}");
        LockOutcome outcome = waiter.get(60, TimeUnit.SECONDS);
        assertThat(((LockOutcome.Acquired) outcome).lease().release()).isEqualTo(ReleaseResult.RELEASED);

        proxy.cutAt(null);
        await().atMost(LONG)
                .until(() -> !((List<?>) redis.command("PUBSUB", "CHANNELS", "distribution-lock:wake:*")).isEmpty());
    }

    @Test
    void waitersPollAndThePausesGrowAlsoIfEachSubscriptionLastsForAMoment(CapturedOutput output) {
        redis.command("SET", "distribution-lock:{held}", "another:1", "PX", "100000");
        CompletableFuture<LockOutcome> waiter = attempt();
        AtomicLong ended = new AtomicLong();
        Runnable end = () -> ended.addAndGet((Long) redis.command("CLIENT", "KILL", "TYPE", "pubsub"));
        await().atMost(LONG).pollInterval(AT_ONCE).untilAsserted(() -> {
            end.run();
            assertThat(ended.get()).isPositive();
        });
        await().pollInterval(AT_ONCE).during(Duration.ofSeconds(4)).atMost(LONG).until(() -> {
            end.run();
            return !waiter.isDone();
        });
        // Without pauses, there are ten and more a second.
        assertThat(ended.get()).isLessThan(20);
        await().atMost(LONG).pollInterval(AT_ONCE).until(() -> {
            end.run();
            return output.getOut().contains("Cannot subscribe to the Redis channel");
        });
        waiter.cancel(true);
    }
}
