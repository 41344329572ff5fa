package io.distributionlock.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** All that needs Lettuce stands behind this class, so that without Lettuce on the class path nothing of it is loaded. */
final class LettuceFactories {

    private static final Log log = LogFactory.getLog(LettuceFactories.class);

    /** How long an answer may take before it is looked whether the connection is dead. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private LettuceFactories() {}

    static boolean isOne(RedisConnectionFactory factory) {
        return factory instanceof LettuceConnectionFactory;
    }

    /** Whether scripts can be sent to it on one connection that nobody else uses. */
    static boolean hasOwnConnections(RedisConnectionFactory factory) {
        return factory instanceof LettuceConnectionFactory lettuce && !lettuce.isClusterAware();
    }

    static ReplicatedScripts replicated(RedisConnectionFactory factory, ReplicaAcks wanted, Runnable reconnected) {
        return new ReplicatedScripts((LettuceConnectionFactory) factory, wanted, reconnected);
    }

    static ScriptSender sender(RedisConnectionFactory factory, Runnable reconnected) {
        LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
        if (lettuce.isClusterAware() && !looksForNewMasters(lettuce)) {
            log.warn(
                    "The client of the Redis Cluster does not look for new masters: when a replica takes over from a node that"
                            + " died, the locks of its slots cannot be had until the node is back, or this application is started again. Set"
                            + " spring.data.redis.lettuce.cluster.refresh.adaptive=true (and a"
                            + " spring.data.redis.lettuce.cluster.refresh.period).");
        }
        return sender(lettuce, reconnected, Duration.ZERO);
    }

    /** @param holdUp for how long Redis may hold the connection up on purpose */
    static LettuceScriptSender sender(LettuceConnectionFactory factory, Runnable reconnected, Duration holdUp) {
        return new LettuceScriptSender(
                () -> LettuceLink.open(factory),
                reconnected,
                RedisPlace.of(factory),
                PATIENCE.plus(holdUp).toMillis());
    }

    private static boolean looksForNewMasters(LettuceConnectionFactory factory) {
        ClientOptions options =
                factory.getClientConfiguration().getClientOptions().orElseGet(ClusterClientOptions::create);
        return options instanceof ClusterClientOptions cluster
                && (cluster.getTopologyRefreshOptions().isPeriodicRefreshEnabled()
                        || !cluster.getTopologyRefreshOptions()
                                .getAdaptiveRefreshTriggers()
                                .isEmpty());
    }
}
