package io.distributionlock.testing;

import java.util.List;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.JedisPoolConfig;

/** Started connection factories of Jedis, to be ended by their {@code destroy()}; with the pool that Spring Boot sets by default. */
public final class JedisConnections {

    private JedisConnections() {}

    public static JedisConnectionFactory to(int port) {
        return to(port, new JedisPoolConfig());
    }

    public static JedisConnectionFactory to(int port, JedisPoolConfig pool) {
        return started(new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port), pooled(pool)));
    }

    /** Finds the cluster through its first master. */
    public static JedisConnectionFactory to(RedisCluster cluster) {
        return started(new JedisConnectionFactory(
                new RedisClusterConfiguration(
                        List.of("127.0.0.1:" + cluster.masters().get(0).port())),
                pooled(new JedisPoolConfig())));
    }

    /** To the master that the Sentinels name. */
    public static JedisConnectionFactory to(RedisSentinels sentinels) {
        RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(RedisSentinels.MASTER);
        sentinels.ports().forEach(port -> configuration.sentinel("127.0.0.1", port));
        return started(new JedisConnectionFactory(configuration, pooled(new JedisPoolConfig())));
    }

    private static JedisClientConfiguration pooled(JedisPoolConfig pool) {
        return JedisClientConfiguration.builder().usePooling().poolConfig(pool).build();
    }

    private static JedisConnectionFactory started(JedisConnectionFactory factory) {
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
