package io.distributionlock.redis;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.monitor.MonitoredLockExecutor;
import io.distributionlock.redis.message.MessageSettings;
import java.time.Duration;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Locks in one Redis, standalone, replicated or clustered, reached through a {@link StringRedisTemplate}.
 *
 * <p>Thread-safe. Connects on first use. {@link #stop} ends its thread and subscription.
 */
public final class RedisLockExecutor extends MonitoredLockExecutor {

    private final StringRedisTemplate template;
    private final String keyPrefix;

    /** Locks that count without an acknowledgement of replicas. */
    public RedisLockExecutor(StringRedisTemplate template, String keyPrefix, EngineSettings settings) {
        this(template, keyPrefix, settings, ReplicaAcks.NONE);
    }

    /**
     * Locks that count only once enough replicas have acknowledged them.
     *
     * @throws IllegalStateException if replicas must acknowledge, and the template does not use Lettuce with one Redis or
     *     with Sentinels
     */
    public RedisLockExecutor(
            StringRedisTemplate template, String keyPrefix, EngineSettings settings, ReplicaAcks acks) {
        this(template, keyPrefix, settings, acks, MessageSettings.STANDARD);
    }

    /**
     * The same, with a choice of how this process is notified of the locks that it waits for.
     *
     * @throws IllegalStateException as above
     */
    public RedisLockExecutor(
            StringRedisTemplate template,
            String keyPrefix,
            EngineSettings settings,
            ReplicaAcks acks,
            MessageSettings messages) {
        this(template, keyPrefix, settings, acks, messages, EngineSettings.FIRST_ANSWER_TIMEOUT);
    }

    /** @param firstAnswer how long the very first answer may take, if that is longer than the command timeout */
    RedisLockExecutor(
            StringRedisTemplate template,
            String keyPrefix,
            EngineSettings settings,
            ReplicaAcks acks,
            MessageSettings messages,
            Duration firstAnswer) {
        this(template, keyPrefix, locks(template, keyPrefix, settings, acks, messages, firstAnswer));
    }

    private RedisLockExecutor(StringRedisTemplate template, String keyPrefix, EngineLockExecutor locks) {
        super(locks);
        this.template = template;
        this.keyPrefix = keyPrefix;
    }

    /** What cannot work is refused here, not at the first lock. */
    private static EngineLockExecutor locks(
            StringRedisTemplate template,
            String keyPrefix,
            EngineSettings settings,
            ReplicaAcks acks,
            MessageSettings messages,
            Duration firstAnswer) {
        template.getRequiredConnectionFactory();
        portSettings(keyPrefix, settings);
        EngineLockExecutor locks = new EngineLockExecutor(
                settings.withFirstAnswerTimeout(firstAnswer),
                present -> LockEngine.start(
                        new RedisCommandPort(template, portSettings(keyPrefix, present), acks, messages), present));
        if (acks.areWanted()) {
            locks.engine();
        }
        return locks;
    }

    /** Returns the template by which the Redis of the locks is reached. */
    public StringRedisTemplate template() {
        return template;
    }

    String keyPrefix() {
        return keyPrefix;
    }

    /** The engine and the scripts must agree on the grant lease. */
    private static RedisPortSettings portSettings(String keyPrefix, EngineSettings settings) {
        return new RedisPortSettings(keyPrefix, settings.instance(), settings.grantLease());
    }
}
