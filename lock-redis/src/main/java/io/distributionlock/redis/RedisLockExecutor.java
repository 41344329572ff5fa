package io.distributionlock.redis;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.EngineLockExecutor;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.monitor.MonitoredLockExecutor;
import io.distributionlock.redis.message.MessageSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Locks in one Redis, standalone, replicated or clustered, reached through a {@link StringRedisTemplate}: with Lettuce, over connections
 * of their own from its connection factory; with any other client, by its {@code execute}. Its serializers are not used, and no command
 * becomes part of a transaction or a pipeline of the application.
 *
 * <p>Thread-safe. Connects on first use, or in the background by {@link #start}. {@link #stop} ends its thread and subscription.
 */
public final class RedisLockExecutor extends MonitoredLockExecutor {

    private static final Log log = LogFactory.getLog(RedisLockExecutor.class);

    private final EngineLockExecutor locks;
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
     * An executor with a choice of how this process is notified of the locks that it waits for.
     *
     * @throws IllegalStateException as above
     */
    public RedisLockExecutor(
            StringRedisTemplate template,
            String keyPrefix,
            EngineSettings settings,
            ReplicaAcks acks,
            MessageSettings messages) {
        this(template, keyPrefix, locks(template, keyPrefix, settings, acks, messages));
    }

    private RedisLockExecutor(StringRedisTemplate template, String keyPrefix, EngineLockExecutor locks) {
        super(locks);
        this.locks = locks;
        this.template = template;
        this.keyPrefix = keyPrefix;
    }

    /** What cannot work is refused here, not at the first lock. */
    private static EngineLockExecutor locks(
            StringRedisTemplate template,
            String keyPrefix,
            EngineSettings settings,
            ReplicaAcks acks,
            MessageSettings messages) {
        template.getRequiredConnectionFactory();
        portSettings(keyPrefix, settings);
        EngineLockExecutor locks = new EngineLockExecutor(
                settings,
                present -> LockEngine.start(
                        new RedisCommandPort(template, portSettings(keyPrefix, present), acks, messages), present));
        if (acks.areWanted()) {
            locks.engine();
        }
        return locks;
    }

    /** {@inheritDoc} Not on this thread, since a client may be slow to load. */
    @Override
    public void start() {
        super.start();
        DaemonThreads.each("distribution-lock-connect").execute(this::connect);
    }

    private void connect() {
        try {
            locks.engine().connect();
        } catch (RuntimeException e) {
            log.debug("The locks are not connected yet", e);
        }
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
