package io.distributionlock;

import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An executor for each kind of backend; Redis is a server of its own. */
final class Backends implements AutoCloseable {

    private final RedisProcess redis = RedisProcess.start();
    private final LettuceConnectionFactory connections = RedisConnections.to(redis.port());
    private final LocalLockExecutor local = new LocalLockExecutor();
    private final RedisLockExecutor remote = new RedisLockExecutor(
            new StringRedisTemplate(connections),
            "distribution-lock",
            EngineSettings.standard(InstanceName.create()).withCommandTimeout(Duration.ofSeconds(20)));

    /** Connects: on a loaded machine that may take longer than an attempt. */
    Backends() {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> !remote.isLocked("not yet").join());
    }

    LockExecutor executor(BackendKind backend) {
        return backend == BackendKind.LOCAL ? local : remote;
    }

    /** Waits long, for a busy machine. */
    LockTemplate locks(BackendKind backend) {
        return new LockTemplate(
                executor(backend), new LockDefaults(Duration.ofSeconds(20), Duration.ofSeconds(60), null));
    }

    /** How many attempts of this process wait for the lock. */
    long waiting(BackendKind backend, String name) {
        return ((LockMonitor) executor(backend))
                .snapshot().waiting().stream()
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
