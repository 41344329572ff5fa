package io.distributionlock.redis;

import io.distributionlock.internal.Internal;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The address of a connection factory, for messages: never a user or a password.
 *
 * @hidden
 */
@Internal
public final class RedisAddress {

    /** Whether Lettuce is on the class path. */
    public static final boolean LETTUCE_PRESENT =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisAddress.class.getClassLoader());

    private static final boolean JEDIS_PRESENT =
            ClassUtils.isPresent("redis.clients.jedis.Jedis", RedisAddress.class.getClassLoader());

    private RedisAddress() {}

    /** The servers and the database, such as {@code redis-1:6379, database 0}. Does not connect. */
    public static String of(RedisConnectionFactory factory) {
        if (isOfLettuce(factory)) {
            return OfLettuce.of((LettuceConnectionFactory) factory);
        }
        if (isOfJedis(factory)) {
            return OfJedis.of((JedisConnectionFactory) factory);
        }
        return "the servers of a " + factory.getClass().getSimpleName();
    }

    static boolean isOfLettuce(RedisConnectionFactory factory) {
        return LETTUCE_PRESENT && factory instanceof LettuceConnectionFactory;
    }

    static boolean isOfJedis(RedisConnectionFactory factory) {
        return JEDIS_PRESENT && factory instanceof JedisConnectionFactory;
    }

    /** Whether all keys are on one server, as far as is known. */
    static boolean isOfOneServer(RedisConnectionFactory factory) {
        return (isOfLettuce(factory) || isOfJedis(factory)) && !isOfCluster(factory);
    }

    /** Whether the keys are on several servers, as far as is known. */
    static boolean isOfCluster(RedisConnectionFactory factory) {
        return isOfLettuce(factory)
                ? ((LettuceConnectionFactory) factory).isClusterAware()
                : isOfJedis(factory) && ((JedisConnectionFactory) factory).isRedisClusterAware();
    }

    /** Whether a subscription would use up the only connection. */
    static boolean hasOnlyOneConnection(RedisConnectionFactory factory) {
        return isOfJedis(factory) && OfJedis.hasOnlyOneConnection((JedisConnectionFactory) factory);
    }

    private static String cluster(@Nullable RedisClusterConfiguration cluster) {
        return "the Cluster of " + (cluster == null ? "?" : nodes(cluster.getClusterNodes()));
    }

    private static String sentinels(@Nullable RedisSentinelConfiguration sentinels, int database) {
        return sentinels == null
                ? "the master that Sentinels name"
                : "the master '"
                        + (sentinels.getMaster() == null
                                ? "?"
                                : sentinels.getMaster().getName()) + "' of the Sentinels "
                        + nodes(sentinels.getSentinels()) + database(database);
    }

    private static String nodes(Set<RedisNode> nodes) {
        return nodes.stream().map(RedisNode::asString).collect(Collectors.joining(", "));
    }

    private static String database(int database) {
        return ", database " + database;
    }

    private static final class OfLettuce {

        static String of(LettuceConnectionFactory factory) {
            if (factory.isClusterAware()) {
                return cluster(factory.getClusterConfiguration());
            }
            if (factory.isRedisSentinelAware()) {
                return sentinels(factory.getSentinelConfiguration(), factory.getDatabase());
            }
            if (factory.getSocketConfiguration() != null) {
                return factory.getSocketConfiguration().getSocket() + database(factory.getDatabase());
            }
            RedisStaticMasterReplicaConfiguration servers = masterAndReplicas(factory);
            return servers == null
                    ? factory.getHostName() + ":" + factory.getPort() + database(factory.getDatabase())
                    : "the master of "
                            + servers.getNodes().stream()
                                    .map(node -> node.getHostName() + ":" + node.getPort())
                                    .collect(Collectors.joining(", "))
                            + database(servers.getDatabase());
        }

        /** The factory keeps it to itself, and returns "localhost" as the name of the host. */
        private static @Nullable RedisStaticMasterReplicaConfiguration masterAndReplicas(
                LettuceConnectionFactory factory) {
            try {
                return PropertyAccessorFactory.forDirectFieldAccess(factory).getPropertyValue("configuration")
                                instanceof RedisStaticMasterReplicaConfiguration servers
                        ? servers
                        : null;
            } catch (BeansException e) {
                return null;
            }
        }
    }

    private static final class OfJedis {

        static boolean hasOnlyOneConnection(JedisConnectionFactory factory) {
            // By name, so that the classes of the pool need not be present.
            try {
                return factory.getUsePool()
                        && Integer.valueOf(1)
                                .equals(PropertyAccessorFactory.forBeanPropertyAccess(factory)
                                        .getPropertyValue("poolConfig.maxTotal"));
            } catch (BeansException e) {
                return false;
            }
        }

        static String of(JedisConnectionFactory factory) {
            if (factory.isRedisClusterAware()) {
                return cluster(factory.getClusterConfiguration());
            }
            return factory.isRedisSentinelAware()
                    ? sentinels(factory.getSentinelConfiguration(), factory.getDatabase())
                    : factory.getHostName() + ":" + factory.getPort() + database(factory.getDatabase());
        }
    }
}
