package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.RedisPortSettings;
import io.distributionlock.redis.ReplicaAcks;
import io.distributionlock.testing.RedisConnections;
import java.time.Duration;
import java.util.UUID;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What an application has: connections to Redis of its own, and locks by the settings of a fresh installation; it has begun work. */
final class Instance implements AutoCloseable {

    private static final Duration MAX_WARM_UP = Duration.ofSeconds(60);

    private final DisposableBean connections;
    private final RedisLockExecutor executor;
    private final LockTemplate locks;
    private boolean closed;

    /** @param port of Redis, or of a proxy before it */
    Instance(int port) {
        this(RedisConnections.to(port), ReplicaAcks.NONE, asInstalled());
    }

    /** @param connections are ended with the instance, and may be of any client */
    <F extends RedisConnectionFactory & DisposableBean> Instance(
            F connections, ReplicaAcks acks, EngineSettings settings) {
        this.connections = connections;
        this.executor = new RedisLockExecutor(
                new StringRedisTemplate(connections), RedisPortSettings.DEFAULT_KEY_PREFIX, settings, acks);
        this.locks = new LockTemplate(executor, LockDefaults.STANDARD);
        // On a loaded machine, a first command may take longer than the command timeout: classes are loaded and
        // connections made.
        awaitLocks();
    }

    /** The settings of a fresh installation, for a process with a new name. */
    static EngineSettings asInstalled() {
        return EngineSettings.standard(InstanceName.create()).withCommandTimeout(FaultSuite.COMMAND_TIMEOUT);
    }

    /** Returns when a lock was got and released: it is connected. */
    void awaitLocks() {
        LockRequest request = LockRequest.named("warm-up:" + UUID.randomUUID())
                .tryLockTime(Duration.ZERO)
                .build();
        long start = System.nanoTime();
        while (!(locks.attempt(request) instanceof LockOutcome.Acquired acquired)
                || acquired.lease().release() != ReleaseResult.RELEASED) {
            if (System.nanoTime() - start > MAX_WARM_UP.toNanos()) {
                throw new IllegalStateException("No lock was got from Redis within " + MAX_WARM_UP);
            }
        }
    }

    /** Returns when what was asked before of this lock was answered, unless replicas are asked: answers come in order. */
    void awaitAnswers(String lock) {
        assertThat(executor.isLocked(lock)).succeedsWithin(FaultSuite.SOON);
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
            end(connections);
        }
    }

    private static void end(DisposableBean connections) {
        try {
            connections.destroy();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
