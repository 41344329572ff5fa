package io.distributionlock.testing;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories with the options that Spring Boot sets by default, and more patience. */
public final class RedisConnections {

    private RedisConnections() {}

    /** A started factory; to be ended by its {@code destroy()}. */
    public static LettuceConnectionFactory to(int port) {
        return started(new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port), client(ClientOptions.builder())));
    }

    /** The same with resources that its caller ends. */
    public static LettuceConnectionFactory to(int port, ClientResources resources) {
        return started(new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                builder(ClientOptions.builder()).clientResources(resources).build()));
    }

    /** The same for a cluster, found through its masters. */
    public static LettuceConnectionFactory to(RedisCluster cluster, ClientResources resources) {
        return started(new LettuceConnectionFactory(
                configuration(cluster),
                builder(ClusterClientOptions.builder())
                        .clientResources(resources)
                        .build()));
    }

    /** The same for a user of Redis. */
    public static LettuceConnectionFactory to(int port, String user, String password) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
        server.setUsername(user);
        server.setPassword(password);
        return started(new LettuceConnectionFactory(server, client(ClientOptions.builder())));
    }

    /** The same for a cluster, found through its first master. */
    public static LettuceConnectionFactory to(RedisCluster cluster) {
        return started(new LettuceConnectionFactory(
                new RedisClusterConfiguration(
                        List.of("127.0.0.1:" + cluster.masters().get(0).port())),
                client(ClusterClientOptions.builder())));
    }

    /** The same for a user of Redis who exists on each node. */
    public static LettuceConnectionFactory to(RedisCluster cluster, String user, String password) {
        RedisClusterConfiguration servers = configuration(cluster);
        servers.setUsername(user);
        servers.setPassword(password);
        return started(new LettuceConnectionFactory(servers, client(ClusterClientOptions.builder())));
    }

    /** The same for a cluster, with a client that looks for the present masters when a node does not answer or has moved. */
    public static LettuceConnectionFactory withAdaptiveRefreshTo(RedisCluster cluster) {
        return started(new LettuceConnectionFactory(
                configuration(cluster),
                client(ClusterClientOptions.builder()
                        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                                .enableAllAdaptiveRefreshTriggers()
                                .refreshTriggersReconnectAttempts(2)
                                .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                                .build()))));
    }

    private static RedisClusterConfiguration configuration(RedisCluster cluster) {
        return new RedisClusterConfiguration(cluster.masters().stream()
                .map(master -> "127.0.0.1:" + master.port())
                .toList());
    }

    /** The same for the master that Sentinels name. */
    public static LettuceConnectionFactory to(RedisSentinels sentinels) {
        RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(RedisSentinels.MASTER);
        sentinels.ports().forEach(port -> configuration.sentinel("127.0.0.1", port));
        return started(new LettuceConnectionFactory(configuration, client(ClientOptions.builder())));
    }

    private static LettuceClientConfiguration client(ClientOptions.Builder options) {
        return builder(options).build();
    }

    private static LettuceClientConfiguration.LettuceClientConfigurationBuilder builder(ClientOptions.Builder options) {
        return LettuceClientConfiguration.builder()
                .clientOptions(options.timeoutOptions(TimeoutOptions.enabled())
                        .socketOptions(SocketOptions.builder()
                                // The first of a JVM loads Netty, which takes long on a busy machine.
                                .connectTimeout(Duration.ofSeconds(60))
                                .build())
                        .build())
                .shutdownTimeout(Duration.ZERO)
                .shutdownQuietPeriod(Duration.ZERO);
    }

    private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
