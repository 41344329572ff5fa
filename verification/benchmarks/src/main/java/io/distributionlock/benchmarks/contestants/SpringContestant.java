package io.distributionlock.benchmarks.contestants;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** The lock registry of Spring Integration, on Spring's connection to Redis; its locks are not renewed by default. */
final class SpringContestant implements Contestant {

    private static final String REGISTRY_KEY = "spring-integration";

    private final SpringRedis redis;
    private final RedisLockRegistry registry;

    SpringContestant(int port, RedisLockType type) {
        this.redis = SpringRedis.withoutLibrary(port);
        this.registry =
                new RedisLockRegistry(redis.bean(RedisConnectionFactory.class), REGISTRY_KEY, Contestants.LEASE);
        registry.setRedisLockType(type);
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        Lock lock = registry.obtain(name);
        return lock.tryLock(Contestants.WAIT.toMillis(), TimeUnit.MILLISECONDS) ? lock::unlock : null;
    }

    @Override
    public SentCommands sent() {
        return redis.sent();
    }

    @Override
    public void close() {
        registry.destroy();
        redis.close();
    }
}
