package io.distributionlock.quorum;

import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProbe;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Executors over several servers; each has connections of its own, as a process has. */
final class QuorumFixture implements LockFixture {

    private final List<RedisProcess> servers;
    private final QuorumSettings settings;
    private final List<QuorumLockExecutor> executors = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    QuorumFixture(List<RedisProcess> servers, QuorumMode mode) {
        this.servers = servers;
        // Servers of tests are young, and on a loaded machine an answer may take its time.
        this.settings = new QuorumSettings(mode, Duration.ofSeconds(2), 0.01, Duration.ofMillis(50), Duration.ZERO);
    }

    @Override
    public LockExecutor newProcess() {
        List<QuorumNode> nodes = new ArrayList<>();
        for (RedisProcess server : servers) {
            LettuceConnectionFactory factory = RedisConnections.to(server.port());
            factories.add(factory);
            nodes.add(new QuorumNode("127.0.0.1:" + server.port(), new StringRedisTemplate(factory)));
        }
        QuorumLockExecutor executor = new QuorumLockExecutor(
                nodes, settings, "distribution-lock", EngineSettings.standard(InstanceName.create()));
        executors.add(executor);
        // On a loaded machine a first connection may take longer than an attempt.
        await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> executor.nodes().stream().allMatch(QuorumNodeState::reachable));
        return executor;
    }

    /** One test runs at a time, and leaves nothing: whatever is there is of this name, however that is written in keys. */
    @Override
    public List<String> traces(String name) {
        return servers.stream()
                .flatMap(server -> ((List<?>) server.command("KEYS", "*")).stream())
                .map(String::valueOf)
                .filter(key -> !key.endsWith(":fence") && !key.contains(":gone:"))
                .toList();
    }

    @Override
    public List<Probe> openProbes() {
        return RedisProbe.of(servers);
    }

    @Override
    public void close() {
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        factories.forEach(LettuceConnectionFactory::destroy);
    }
}
