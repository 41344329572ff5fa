package io.distributionlock.redis;

import io.distributionlock.redis.message.MessageCapability;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The only way to the classes that need Lettuce, so that none of them is loaded without it. */
final class LettuceFactories {

    private static final Log log = LogFactory.getLog(LettuceFactories.class);

    /** How long an answer may take before the connection is checked. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

    private LettuceFactories() {}

    static MessageCapability messageCapability(RedisConnectionFactory factory) {
        return MessageCapability.ofLettuce((LettuceConnectionFactory) factory);
    }

    static ReplicatedScriptSender replicated(RedisConnectionFactory factory, ReplicaAcks wanted, Runnable reconnected) {
        // A command may wait for the WAIT in flight and for up to two more.
        Duration blocked = wanted.timeout().multipliedBy(3);
        return new ReplicatedScriptSender(sender((LettuceConnectionFactory) factory, reconnected, blocked), wanted);
    }

    static ScriptSender sender(RedisConnectionFactory factory, Runnable reconnected) {
        LettuceConnectionFactory lettuce = (LettuceConnectionFactory) factory;
        if (lettuce.isClusterAware() && !refreshesTopology(lettuce)) {
            log.warn(
                    "The client of the Redis Cluster does not look for new masters: after a failover, the locks of the failed"
                            + " node cannot be acquired until the node is back or this application restarts. Set"
                            + " spring.data.redis.lettuce.cluster.refresh.adaptive=true (and a"
                            + " spring.data.redis.lettuce.cluster.refresh.period).");
        }
        return sender(lettuce, reconnected, Duration.ZERO);
    }

    /** @param blocked how long Redis may block the connection on purpose */
    static LettuceScriptSender sender(LettuceConnectionFactory factory, Runnable reconnected, Duration blocked) {
        return new LettuceScriptSender(
                () -> DedicatedConnection.open(factory),
                reconnected,
                RedisAddress.of(factory),
                SettingNames.of(factory),
                ANSWER_TIMEOUT.plus(blocked).toMillis());
    }

    private static boolean refreshesTopology(LettuceConnectionFactory factory) {
        ClientOptions options =
                factory.getClientConfiguration().getClientOptions().orElseGet(ClusterClientOptions::create);
        return options instanceof ClusterClientOptions cluster
                && (cluster.getTopologyRefreshOptions().isPeriodicRefreshEnabled()
                        || !cluster.getTopologyRefreshOptions()
                                .getAdaptiveRefreshTriggers()
                                .isEmpty());
    }
}
