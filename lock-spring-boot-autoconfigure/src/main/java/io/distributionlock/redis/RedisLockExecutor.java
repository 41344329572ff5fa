package io.distributionlock.redis;

import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.LockEngine;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Locks that are kept in one Redis, standalone, replicated or clustered, and reached through a {@link StringRedisTemplate}.
 *
 * <p>Thread-safe. Connects on first use. {@link #stop} ends its thread and its subscription.
 */
public final class RedisLockExecutor extends EngineLockExecutor {

    private final StringRedisTemplate template;

    /** Locks under these keys, by these times. */
    public RedisLockExecutor(StringRedisTemplate template, String keyPrefix, EngineSettings settings) {
        this(template, keyPrefix, settings, ReplicaAcks.NONE);
    }

    /**
     * Locks that count only when enough replicas have them.
     *
     * @throws IllegalStateException if replicas are wanted, and the template's connections cannot ask them: that needs Lettuce
     *     and one Redis, or Sentinels
     */
    public RedisLockExecutor(
            StringRedisTemplate template, String keyPrefix, EngineSettings settings, ReplicaAcks acks) {
        super(
                acks.areWanted() ? settings.withConfirmedGrants() : settings,
                present -> LockEngine.start(
                        new RedisCommandPort(template, portSettings(keyPrefix, present), acks), present));
        this.template = template;
    }

    /** By which the Redis of the locks is reached. */
    public StringRedisTemplate template() {
        return template;
    }

    /** Both sides have to count a grant lease alike. */
    private static RedisPortSettings portSettings(String keyPrefix, EngineSettings settings) {
        RedisPortSettings standard = RedisPortSettings.of(keyPrefix, settings.instance());
        return new RedisPortSettings(
                keyPrefix,
                settings.instance(),
                settings.grantLease(),
                settings.grantLease(),
                standard.queueLife(),
                standard.tombstoneLife(),
                standard.fenceLife());
    }
}
