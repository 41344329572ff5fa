package io.distributionlock.redis;

import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProbe;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Executors on one Redis; each has connections of its own, as a process has. */
final class RedisFixture implements LockFixture {

    private static final String PREFIX = "distribution-lock";

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(60);

    private final RedisProcess redis;
    private final ReplicaAcks acks;
    private final Supplier<LettuceConnectionFactory> connections;
    private final List<RedisLockExecutor> executors = new ArrayList<>();
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    RedisFixture(RedisProcess redis) {
        this(redis, ReplicaAcks.NONE);
    }

    RedisFixture(RedisProcess redis, ReplicaAcks acks) {
        this(redis, () -> RedisConnections.to(redis.port()), acks);
    }

    /** @param connections makes the started connection factory of each process */
    RedisFixture(RedisProcess redis, Supplier<LettuceConnectionFactory> connections) {
        this(redis, connections, ReplicaAcks.NONE);
    }

    private RedisFixture(RedisProcess redis, Supplier<LettuceConnectionFactory> connections, ReplicaAcks acks) {
        this.redis = redis;
        this.connections = connections;
        this.acks = acks;
    }

    @Override
    public LockExecutor newProcess() {
        LettuceConnectionFactory factory = connections.get();
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(new StringRedisTemplate(factory), PREFIX, settings(), acks);
        executors.add(executor);
        connect(executor);
        return executor;
    }

    /** On a loaded machine a first connection may take longer than an attempt. */
    private static void connect(LockExecutor executor) {
        await().atMost(LONGEST_CONNECT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptions()
                .until(() -> !executor.isLocked("not yet").join());
    }

    private EngineSettings settings() {
        EngineSettings standard = EngineSettings.standard(InstanceName.create());
        return acks.areWanted() ? standard.withCommandTimeout(acks.timeout().multipliedBy(4)) : standard;
    }

    @Override
    public List<String> traces(String name) {
        LockKeys keys = new LockKeys(PREFIX, name);
        List<String> left = new ArrayList<>();
        for (byte[] key : List.of(keys.owner(), keys.queue(), keys.peers(), keys.readers())) {
            String text = new String(key, StandardCharsets.UTF_8);
            if (Objects.equals(redis.command("EXISTS", text), 1L)) {
                left.add(text);
            }
        }
        return left;
    }

    @Override
    public List<Probe> openProbes() {
        return RedisProbe.of(List.of(redis));
    }

    @Override
    public void close() {
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        factories.forEach(LettuceConnectionFactory::destroy);
    }
}
