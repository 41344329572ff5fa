package io.distributionlock.redis;

import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.test.contract.LockFixture;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProbe;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Executors on one Redis or a Cluster; each has connections of its own, as a process has. */
final class RedisFixture implements LockFixture {

    private static final String PREFIX = "distribution-lock";

    private static final Duration MAX_CONNECT = Duration.ofSeconds(60);

    private final List<RedisProcess> servers;
    private final Function<String, RedisProcess> serverOfKey;
    private final ReplicaAcks acks;
    private final MessageMode messages;
    private final Supplier<? extends RedisConnectionFactory> connections;
    private final List<RedisLockExecutor> executors = new ArrayList<>();
    private final List<RedisConnectionFactory> factories = new ArrayList<>();

    RedisFixture(RedisProcess redis) {
        this(redis, ReplicaAcks.NONE);
    }

    RedisFixture(RedisProcess redis, ReplicaAcks acks) {
        this(redis, () -> RedisConnections.to(redis.port()), acks, MessageMode.AUTO);
    }

    RedisFixture(RedisProcess redis, MessageMode messages) {
        this(redis, () -> RedisConnections.to(redis.port()), ReplicaAcks.NONE, messages);
    }

    /** @param connections makes the started connection factory of each process, which may be of any client */
    RedisFixture(RedisProcess redis, Supplier<? extends RedisConnectionFactory> connections) {
        this(redis, connections, ReplicaAcks.NONE, MessageMode.AUTO);
    }

    RedisFixture(RedisCluster cluster, Supplier<? extends RedisConnectionFactory> connections) {
        this(
                cluster.masters(),
                key -> cluster.ownerOf(cluster.slotOf(key)),
                connections,
                ReplicaAcks.NONE,
                MessageMode.AUTO);
    }

    private RedisFixture(
            RedisProcess redis,
            Supplier<? extends RedisConnectionFactory> connections,
            ReplicaAcks acks,
            MessageMode messages) {
        this(List.of(redis), key -> redis, connections, acks, messages);
    }

    private RedisFixture(
            List<RedisProcess> servers,
            Function<String, RedisProcess> serverOfKey,
            Supplier<? extends RedisConnectionFactory> connections,
            ReplicaAcks acks,
            MessageMode messages) {
        this.servers = servers;
        this.serverOfKey = serverOfKey;
        this.connections = connections;
        this.acks = acks;
        this.messages = messages;
    }

    @Override
    public LockExecutor newProcess() {
        RedisConnectionFactory factory = connections.get();
        factories.add(factory);
        RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(factory),
                PREFIX,
                settings(),
                acks,
                new MessageSettings(messages, MessageSettings.MAX_INTERVAL));
        executors.add(executor);
        connect(executor);
        return executor;
    }

    /** On a loaded machine a first connection may take longer than an attempt. */
    private static void connect(LockExecutor executor) {
        await().atMost(MAX_CONNECT)
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
            if (Objects.equals(serverOfKey.apply(text).command("EXISTS", text), 1L)) {
                left.add(text);
            }
        }
        return left;
    }

    @Override
    public List<Probe> openProbes() {
        return RedisProbe.of(servers);
    }

    @Override
    public void close() {
        executors.forEach(executor -> executor.stop(Duration.ZERO));
        factories.forEach(RedisFixture::end);
    }

    private static void end(RedisConnectionFactory factory) {
        try {
            ((DisposableBean) factory).destroy();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
