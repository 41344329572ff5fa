package io.distributionlock.redis;

import io.distributionlock.testing.JedisConnections;
import io.distributionlock.testing.RedisCluster;
import io.distributionlock.testing.RedisConnections;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The client of an application. */
enum Client {
    LETTUCE,
    JEDIS;

    RedisConnectionFactory to(int port) {
        return this == JEDIS ? JedisConnections.to(port) : RedisConnections.to(port);
    }

    RedisConnectionFactory to(RedisCluster cluster) {
        return this == JEDIS ? JedisConnections.to(cluster) : RedisConnections.to(cluster);
    }

    static void end(RedisConnectionFactory connections) {
        try {
            ((DisposableBean) connections).destroy();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
