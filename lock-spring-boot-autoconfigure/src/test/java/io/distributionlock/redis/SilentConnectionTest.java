package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.InstanceName;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** T2: connections whose packets vanish, while new ones work. Nobody tells of their end; the locks find out by themselves. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SilentConnectionTest {

    /** What is promised, and what a busy machine may take besides. */
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    private static final Duration LONG = Duration.ofSeconds(20);

    private final PortThreads threads = new PortThreads();
    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private final LettuceConnectionFactory factory = RedisConnections.to(proxy.port());
    private final StringRedisTemplate template = new StringRedisTemplate(factory);
    private final RedisLockExecutor executor = new RedisLockExecutor(
            template, "distribution-lock", EngineSettings.standard(InstanceName.create()));

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
        await().atMost(LONG).until(() -> attempt("first", Duration.ofSeconds(5)) instanceof LockOutcome.Acquired got
                && got.lease().release() != null);
    }

    private void awaitLocks() {
        await().atMost(TEN_SECONDS).until(() -> attempt("again", Duration.ZERO) instanceof LockOutcome.Acquired got
                && got.lease().release() != null);
    }

    private static List<String> linesOf(CapturedOutput output) {
        return output.getOut().lines().filter(line -> line.contains("was given up")).toList();
    }

    @Test
    void aConnectionThatDiedSilentlyIsReplacedInTime(CapturedOutput output) {
        connect();
        proxy.swallow();
        awaitLocks();
        assertThat(linesOf(output)).hasSize(1).first().asString().contains("127.0.0.1:" + proxy.port());
    }

    @Test
    void anAttemptThatIsUnderWaySucceedsOverTheNewConnection() throws Exception {
        connect();
        proxy.swallow();
        LockRequest patient = LockRequest.named("patient").tryLockTime(LONG).build();
        // The engine gives up what has had no answer at all after the command timeout, whatever the waiting time.
        assertThat(executor.acquire(patient, LockOwner.unique()).get(60, TimeUnit.SECONDS)).isNotNull();
        awaitLocks();
    }

    @Test
    void aLeaseIsRenewedAndReleasedOverTheNewConnection() throws Exception {
        connect();
        LockRequest held = LockRequest.named("held")
                .tryLockTime(Duration.ofSeconds(5))
                .renewedLease(Duration.ofSeconds(15))
                .build();
        LockOutcome.Acquired got =
                (LockOutcome.Acquired) executor.acquire(held, LockOwner.unique()).get(60, TimeUnit.SECONDS);
        proxy.swallow();
        await().atMost(LONG)
                .during(Duration.ofSeconds(18))
                .until(() -> got.lease().isValid());
        assertThat(got.lease().release()).isEqualTo(io.distributionlock.ReleaseResult.RELEASED);
        assertThat(executor.counters().lostLeases()).isZero();
    }
}
