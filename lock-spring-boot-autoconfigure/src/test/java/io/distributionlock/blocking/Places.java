package io.distributionlock.blocking;

import static org.awaitility.Awaitility.await;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.InstanceName;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An executor for each place, on a Redis of its own. */
final class Places implements AutoCloseable {

    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory connections = RedisConnections.to(redis.port());
    private final EngineLockExecutor local = new LocalLockExecutor();
    private final EngineLockExecutor remote = new RedisLockExecutor(
            new StringRedisTemplate(connections),
            "distribution-lock",
            EngineSettings.standard(InstanceName.create()).withCommandTimeout(Duration.ofSeconds(20)));

    /** Connects: on a loaded machine that may take longer than an attempt. */
    Places() {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> !remote.isLocked("not yet").join());
    }

    EngineLockExecutor executor(Place place) {
        return place == Place.LOCAL ? local : remote;
    }

    /** Patient, for a busy machine. */
    LockTemplate locks(Place place) {
        return new LockTemplate(
                executor(place), new LockDefaults(Duration.ofSeconds(20), Duration.ofSeconds(60), null));
    }

    /** How many attempts of this process wait for the lock. */
    long waiting(Place place, String name) {
        return executor(place).snapshot().waiting().stream()
                .filter(attempt -> attempt.lockName().equals(name))
                .count();
    }

    @Override
    public void close() {
        local.close();
        remote.close();
        connections.destroy();
        redis.close();
    }
}
