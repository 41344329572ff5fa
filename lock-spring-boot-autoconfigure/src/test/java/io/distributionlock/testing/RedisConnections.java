package io.distributionlock.testing;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Connection factories with the options that Spring Boot sets by default. */
public final class RedisConnections {

    private RedisConnections() {}

    /** A started factory; to be ended by its {@code destroy()}. */
    public static LettuceConnectionFactory to(int port) {
        return started(new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port), client(ClientOptions.builder())));
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

    private static LettuceClientConfiguration client(ClientOptions.Builder options) {
        return LettuceClientConfiguration.builder()
                .clientOptions(options.timeoutOptions(TimeoutOptions.enabled())
                        .socketOptions(SocketOptions.builder()
                                .connectTimeout(Duration.ofSeconds(10))
                                .build())
                        .build())
                .shutdownTimeout(Duration.ZERO)
                .shutdownQuietPeriod(Duration.ZERO)
                .build();
    }

    private static LettuceConnectionFactory started(LettuceConnectionFactory factory) {
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
