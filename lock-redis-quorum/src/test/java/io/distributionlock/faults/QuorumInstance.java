package io.distributionlock.faults;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.RedisConnections;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A process that keeps its locks over several servers, with connections of its own. */
final class QuorumInstance implements AutoCloseable {

    /** Longer than as installed, and than a machine may stand still: answers are late only if they are meant to be. */
    static final Duration NODE_TIMEOUT = Duration.ofMillis(2_500);

    private static final Duration MAX_WARM_UP = Duration.ofSeconds(60);

    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private final QuorumLockExecutor executor;
    private final LockTemplate locks;

    /** @param ports of servers, or of proxies before them */
    QuorumInstance(QuorumMode mode, Duration restartDelay, List<Integer> ports) {
        List<QuorumNode> nodes = new ArrayList<>();
        for (int port : ports) {
            LettuceConnectionFactory factory = RedisConnections.to(port);
            factories.add(factory);
            nodes.add(new QuorumNode("127.0.0.1:" + port, new StringRedisTemplate(factory)));
        }
        this.executor = new QuorumLockExecutor(
                nodes,
                new QuorumSettings(mode, NODE_TIMEOUT, 0.01, Duration.ofMillis(50), restartDelay),
                "distribution-lock",
                EngineSettings.standard(InstanceName.create()));
        this.locks = new LockTemplate(executor, LockDefaults.STANDARD);
    }

    /** Returns when a lock was got and released. */
    QuorumInstance warmedUp() {
        LockRequest request = LockRequest.named("warm-up:" + UUID.randomUUID())
                .tryLockTime(Duration.ZERO)
                .build();
        long start = System.nanoTime();
        while (!(locks.attempt(request) instanceof LockOutcome.Acquired acquired)
                || acquired.lease().release() != ReleaseResult.RELEASED
                || !executor.nodes().stream().allMatch(node -> node.reachable())) {
            if (System.nanoTime() - start > MAX_WARM_UP.toNanos()) {
                throw new IllegalStateException("No lock was got within " + MAX_WARM_UP);
            }
        }
        return this;
    }

    QuorumLockExecutor executor() {
        return executor;
    }

    LockTemplate locks() {
        return locks;
    }

    @Override
    public void close() {
        executor.stop(Duration.ZERO);
        factories.forEach(LettuceConnectionFactory::destroy);
    }
}
