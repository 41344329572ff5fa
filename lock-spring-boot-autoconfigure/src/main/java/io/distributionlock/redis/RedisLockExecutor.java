package io.distributionlock.redis;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.engine.EngineCounters;
import io.distributionlock.engine.EngineSettings;
import io.distributionlock.engine.EngineSnapshot;
import io.distributionlock.engine.EngineView;
import io.distributionlock.engine.LockEngine;
import io.distributionlock.engine.LockInspection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Locks that are kept in one Redis, standalone, replicated or clustered, and reached through a {@link StringRedisTemplate}.
 *
 * <p>Thread-safe. Connects on first use. {@link #stop} ends its thread and its subscription.
 */
public final class RedisLockExecutor implements LockExecutor, EngineView, AutoCloseable {

    private final LockEngine engine;

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
        RedisCommandPort port = new RedisCommandPort(template, portSettings(keyPrefix, settings), acks);
        this.engine = LockEngine.start(port, acks.areWanted() ? settings.withConfirmedGrants() : settings);
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

    @Override
    public Set<LockKind> kinds() {
        return engine.kinds();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return engine.acquire(request, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return engine.holdCount(name, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner, LockKind kind) {
        return engine.holdCount(name, owner, kind);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return engine.isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return engine.forceRelease(name);
    }

    @Override
    public void stop(Duration timeout) {
        engine.stop(timeout);
    }

    /** Stops without waiting for holders: what is still held is released and reported as lost. */
    @Override
    public void close() {
        stop(Duration.ZERO);
    }

    @Override
    public EngineCounters counters() {
        return engine.counters();
    }

    @Override
    public EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return engine.inspect(name);
    }

    /** How many names this process holds or waits for at present. */
    public int activeNames() {
        return engine.activeNames();
    }
}
