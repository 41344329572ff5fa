package io.distributionlock.leader;

import static org.awaitility.Awaitility.await;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Instances of an application that share one place for their locks, each with an executor of its own. */
final class Instances implements AutoCloseable {

    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(60);

    enum Place {
        LOCAL(0),
        REDIS(1),
        QUORUM(3);

        private final int servers;

        Place(int servers) {
            this.servers = servers;
        }
    }

    private final Place place;
    private final LocalBackend memory = new LocalBackend();
    private final List<RedisProcess> servers;
    private final List<LettuceConnectionFactory> connections = new ArrayList<>();
    private final List<LockExecutor> executors = new ArrayList<>();

    Instances(Place place) {
        this.place = place;
        this.servers = Stream.generate(RedisProcess::start).limit(place.servers).toList();
    }

    RedisProcess server() {
        return servers.get(0);
    }

    /** The servers lose all they know. */
    void forgetAll() {
        servers.forEach(server -> server.command("FLUSHALL"));
    }

    /** Another instance, which is connected. */
    LockTemplate another() {
        EngineSettings settings = EngineSettings.standard(InstanceName.create()).withCommandTimeout(COMMAND_TIMEOUT);
        LockExecutor executor = switch (place) {
            case LOCAL -> new LocalLockExecutor(settings, memory);
            case REDIS -> new RedisLockExecutor(connect(server()), "distribution-lock", settings);
            case QUORUM -> quorum(settings);
        };
        executors.add(executor);
        // On a loaded machine a first connection may take longer than an attempt.
        await().atMost(LONG)
                .ignoreExceptions()
                .until(() -> !executor.isLocked("not yet").join());
        return new LockTemplate(executor, LockDefaults.STANDARD);
    }

    private QuorumLockExecutor quorum(EngineSettings settings) {
        List<QuorumNode> nodes = servers.stream()
                .map(server -> new QuorumNode("127.0.0.1:" + server.port(), connect(server)))
                .toList();
        Duration nodeTimeout = Duration.ofSeconds(2);
        return new QuorumLockExecutor(
                nodes,
                new QuorumSettings(QuorumMode.MAJORITY, nodeTimeout, 0.01, Duration.ofMillis(50), Duration.ZERO),
                "distribution-lock",
                settings);
    }

    private StringRedisTemplate connect(RedisProcess server) {
        LettuceConnectionFactory factory = RedisConnections.to(server.port());
        connections.add(factory);
        return new StringRedisTemplate(factory);
    }

    @Override
    public void close() {
        servers.forEach(RedisProcess::resume);
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        connections.forEach(LettuceConnectionFactory::destroy);
        servers.forEach(RedisProcess::close);
    }
}
