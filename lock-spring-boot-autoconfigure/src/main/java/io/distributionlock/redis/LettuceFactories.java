package io.distributionlock.redis;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** All that needs Lettuce stands behind this class, so that without Lettuce on the class path nothing of it is loaded. */
final class LettuceFactories {

    private LettuceFactories() {}

    static boolean isOne(RedisConnectionFactory factory) {
        return factory instanceof LettuceConnectionFactory;
    }

    static ScriptSender sender(RedisConnectionFactory factory, Runnable reconnected) {
        return new LettuceScriptSender((LettuceConnectionFactory) factory, reconnected);
    }
}
