package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RedisSentinels;
import io.distributionlock.testing.ReplicatedRedis;
import io.distributionlock.testing.TcpProxy;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolver;
import io.lettuce.core.resource.MappingSocketAddressResolver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** T2 where locks are kept by several servers: one node's connection dies silently, and new ones work. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("long")
class SilentTopologiesIT {

    /** Ten seconds are promised, and a busy machine may take as long besides. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration LONG = Duration.ofSeconds(60);

    private final Deque<AutoCloseable> toEnd = new ArrayDeque<>();
    private final Map<Integer, TcpProxy> proxies = new HashMap<>();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : toEnd) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T ended(T started) {
        toEnd.push(started);
        return started;
    }

    private TcpProxy proxyOf(int port) {
        return proxies.computeIfAbsent(port, target -> ended(new TcpProxy(target)));
    }

    /** As Sentinels and Clusters name the ports of their nodes, these are led to the proxies where they are connected to. */
    private LettuceConnectionFactory through(RedisConfiguration servers) {
        ClientResources resources = ClientResources.builder()
                .socketAddressResolver(MappingSocketAddressResolver.create(DnsResolver.unresolved(), wanted -> {
                    TcpProxy proxy = proxies.get(wanted.getPort());
                    return proxy == null ? wanted : HostAndPort.of("127.0.0.1", proxy.port());
                }))
                .build();
        ended(() -> resources.shutdown(0, 0, TimeUnit.MILLISECONDS).await(10, TimeUnit.SECONDS));
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                servers,
                LettuceClientConfiguration.builder()
                        .clientResources(resources)
                        .shutdownTimeout(Duration.ZERO)
                        .shutdownQuietPeriod(Duration.ZERO)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        ended(factory::destroy);
        return factory;
    }

    private static EngineSettings settings() {
        return EngineSettings.standard(InstanceName.create());
    }

    private static boolean locks(LockExecutor executor, String name) throws Exception {
        LockRequest once = LockRequest.named(name).tryLockTime(Duration.ZERO).build();
        return executor.acquire(once, LockOwner.unique()).get(60, TimeUnit.SECONDS) instanceof LockOutcome.Acquired got
                && got.lease().release() == ReleaseResult.RELEASED;
    }

    private static long givenUp(CapturedOutput output) {
        return output.getOut()
                .lines()
                .filter(line -> line.contains("Replaced the lock connection to"))
                .count();
    }

    @Test
    void theMasterThatSentinelsName(CapturedOutput output) {
        ReplicatedRedis redis = ended(ReplicatedRedis.start(RedisBinary.GIVEN, 1));
        RedisSentinels sentinels = ended(RedisSentinels.start(RedisBinary.GIVEN, redis));
        redis.nodes().forEach(node -> proxyOf(node.port()));
        RedisSentinelConfiguration servers = new RedisSentinelConfiguration().master(RedisSentinels.MASTER);
        sentinels.ports().forEach(port -> servers.sentinel("127.0.0.1", port));
        assertThatItIsLeft(servers, output);
    }

    @Test
    void aMasterThatIsNamedBesideItsReplicas(CapturedOutput output) {
        ReplicatedRedis redis = ended(ReplicatedRedis.start(RedisBinary.GIVEN, 1));
        redis.nodes().forEach(node -> proxyOf(node.port()));
        RedisStaticMasterReplicaConfiguration servers = new RedisStaticMasterReplicaConfiguration(
                "127.0.0.1", redis.master().port());
        redis.replicas().forEach(replica -> servers.addNode("127.0.0.1", replica.port()));
        assertThatItIsLeft(servers, output);
    }

    private void assertThatItIsLeft(RedisConfiguration servers, CapturedOutput output) {
        RedisLockExecutor executor = ended(
                new RedisLockExecutor(new StringRedisTemplate(through(servers)), "distribution-lock", settings()));
        await().atMost(LONG).until(() -> locks(executor, "name"));

        proxies.values().forEach(TcpProxy::swallow);

        await().atMost(SOON).until(() -> locks(executor, "name"));
        assertThat(givenUp(output)).isEqualTo(1);
    }

    @Test
    void oneNodeOfACluster(CapturedOutput output) {
        RedisCluster cluster = ended(RedisCluster.start(RedisBinary.GIVEN, 3));
        cluster.nodes().forEach(node -> proxyOf(node.port()));
        RedisLockExecutor executor = ended(new RedisLockExecutor(
                new StringRedisTemplate(through(new RedisClusterConfiguration(cluster.masters().stream()
                        .map(master -> "127.0.0.1:" + master.port())
                        .toList()))),
                "distribution-lock",
                settings()));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            names.add("name" + i);
        }
        await().atMost(LONG).until(() -> {
            boolean all = true;
            for (String name : names) {
                all &= locks(executor, name);
            }
            return all;
        });
        String there = names.get(0);
        RedisProcess node = cluster.ownerOf(cluster.slotOf("distribution-lock:{" + there + "}"));

        proxyOf(node.port()).swallow();

        String elsewhere = names.stream()
                .filter(name -> cluster.ownerOf(cluster.slotOf("distribution-lock:{" + name + "}")) != node)
                .findFirst()
                .orElseThrow();
        await().atMost(SOON).until(() -> locks(executor, elsewhere) && locks(executor, there));
        assertThat(givenUp(output)).isEqualTo(1);
    }

    @Test
    void nodesOfAQuorum(CapturedOutput output) {
        List<QuorumNode> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RedisProcess server = ended(RedisProcess.start());
            LettuceConnectionFactory factory =
                    RedisConnections.to(proxyOf(server.port()).port());
            ended(factory::destroy);
            nodes.add(new QuorumNode("node" + i, new StringRedisTemplate(factory)));
        }
        QuorumSettings standard = QuorumSettings.STANDARD;
        QuorumLockExecutor executor = ended(new QuorumLockExecutor(
                nodes,
                new QuorumSettings(
                        QuorumMode.MAJORITY,
                        Duration.ofSeconds(1),
                        standard.driftFactor(),
                        standard.retryDelay(),
                        Duration.ZERO),
                "distribution-lock",
                settings()));
        await().atMost(LONG)
                .until(() ->
                        locks(executor, "name") && executor.nodes().stream().allMatch(QuorumNodeState::reachable));

        proxies.values().stream().limit(2).forEach(TcpProxy::swallow);

        await().atMost(SOON).until(() -> locks(executor, "name"));
        await().atMost(SOON).until(() -> executor.nodes().stream().allMatch(QuorumNodeState::reachable));
        assertThat(givenUp(output)).isEqualTo(2);
    }
}
