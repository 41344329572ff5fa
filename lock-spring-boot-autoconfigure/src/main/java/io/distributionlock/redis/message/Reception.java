package io.distributionlock.redis.message;

import io.distributionlock.internal.Internal;
import io.distributionlock.redis.message.Subscription.Subscriber;
import io.lettuce.core.cluster.RedisClusterClient;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * What a client can receive.
 *
 * @hidden
 */
@Internal
public final class Reception {

    private final @Nullable Subscriber classic;
    private final @Nullable Subscriber sharded;

    private Reception(@Nullable Subscriber classic, @Nullable Subscriber sharded) {
        this.classic = classic;
        this.sharded = sharded;
    }

    /** For a client without a connection to spare. */
    public static Reception none() {
        return new Reception(null, null);
    }

    /** For any client. */
    public static Reception ofClassic(RedisConnectionFactory factory) {
        return new Reception((channel, receiver) -> ClassicSubscription.open(factory, channel, receiver), null);
    }

    /** For Lettuce and a Cluster. */
    public static Reception ofCluster(LettuceConnectionFactory factory) {
        Subscriber sharded = (channel, receiver) ->
                ShardedSubscription.open((RedisClusterClient) factory.getRequiredNativeClient(), channel, receiver);
        return new Reception(ofClassic(factory).classic, ShardedSubscription.isPossible() ? sharded : null);
    }

    @Nullable
    Subscriber in(MessageMode mode) {
        return mode == MessageMode.SHARDED ? sharded : classic;
    }
}
