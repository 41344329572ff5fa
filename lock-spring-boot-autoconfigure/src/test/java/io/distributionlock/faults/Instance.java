package io.distributionlock.faults;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.InstanceName;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.RedisPortSettings;
import io.distributionlock.testing.RedisConnections;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What an application has: connections to Redis of its own, and locks by the settings of a fresh installation. */
final class Instance implements AutoCloseable {

    private final LettuceConnectionFactory factory;
    private final RedisLockExecutor executor;
    private final LockTemplate locks;
    private boolean closed;

    /** @param port of Redis, or of a proxy before it */
    Instance(int port) {
        this.factory = RedisConnections.to(port);
        this.executor = new RedisLockExecutor(
                new StringRedisTemplate(factory),
                RedisPortSettings.DEFAULT_KEY_PREFIX,
                EngineSettings.standard(InstanceName.create()));
        this.locks = new LockTemplate(executor, LockDefaults.STANDARD);
    }

    RedisLockExecutor executor() {
        return executor;
    }

    LockTemplate locks() {
        return locks;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            executor.stop(Duration.ZERO);
            factory.destroy();
        }
    }
}
