package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The connection breaks before the releases reach Redis. They do over the next one, and their callers hear that. */
@Tag("boot4")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReleaseOverALostConnectionTest {

    private static final int ROUNDS = 5;
    private static final int LOCKS = 100;

    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private final LettuceConnectionFactory factory = RedisConnections.to(proxy.port());

    /** So patient that a slow machine is no reason to be unsure. */
    private final RedisLockExecutor executor = new RedisLockExecutor(
            new StringRedisTemplate(factory),
            "distribution-lock",
            EngineSettings.standard(InstanceName.create()).withCommandTimeout(Duration.ofSeconds(30)));

    private final LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);

    @AfterEach
    void end() {
        executor.close();
        factory.destroy();
        proxy.close();
        redis.close();
    }

    @Test
    void saysThatTheLockWasReleased() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Lease> held = IntStream.range(0, LOCKS)
                    .mapToObj(i -> locks.acquire("lock" + i))
                    .toList();
            proxy.stick(TcpProxy.Direction.TO_SERVER);
            List<CompletableFuture<ReleaseResult>> releases = new ArrayList<>();
            held.forEach(lease -> releases.add(lease.releaseAsync()));
            await().atMost(Duration.ofSeconds(30)).until(() -> proxy.holdsBack("lock0"));
            proxy.cut();
            proxy.flow();
            assertThat(releases)
                    .allSatisfy(release -> assertThat(release)
                            .succeedsWithin(Duration.ofSeconds(60))
                            .isEqualTo(ReleaseResult.RELEASED));
        }
    }
}
