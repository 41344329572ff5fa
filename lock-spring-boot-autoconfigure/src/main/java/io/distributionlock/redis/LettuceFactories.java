package io.distributionlock.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** All that needs Lettuce stands behind this class, so that without Lettuce on the class path nothing of it is loaded. */
final class LettuceFactories {

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
        return new LettuceScriptSender((LettuceConnectionFactory) factory, reconnected);
    }
}
