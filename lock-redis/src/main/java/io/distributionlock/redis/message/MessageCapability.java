package io.distributionlock.redis.message;

import io.distributionlock.internal.Internal;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What messages a client can receive.
 *
 * @hidden
 */
@Internal
@FunctionalInterface
public interface MessageCapability {

    /** For a client without a connection to spare. */
    MessageCapability NONE = mode -> null;

    /** For any client. */
    static MessageCapability ofClassic(RedisConnectionFactory factory) {
        return mode -> mode == MessageMode.SHARDED
                ? null
                : (channel, receiver) -> ClassicSubscription.open(factory, channel, receiver);
    }

    /** For Lettuce. */
    static MessageCapability ofLettuce(LettuceConnectionFactory factory) {
        return mode -> {
            if (mode != MessageMode.SHARDED) {
                return (channel, receiver) ->
                        LettuceSubscription.classic(factory.getRequiredNativeClient(), channel, receiver);
            }
            return factory.isClusterAware() && LettuceSubscription.canBeSharded()
                    ? (channel, receiver) -> LettuceSubscription.sharded(
                            (RedisClusterClient) factory.getRequiredNativeClient(), channel, receiver)
                    : null;
        };
    }

    /** Returns nothing if the client cannot receive in this mode. */
    Subscription.@Nullable Subscriber in(MessageMode mode);
}
