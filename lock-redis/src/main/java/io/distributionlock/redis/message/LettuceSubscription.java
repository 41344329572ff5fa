package io.distributionlock.redis.message;

import io.distributionlock.redis.message.Subscription.Receiver;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.util.ClassUtils;

/**
 * A subscription over a connection of its own. That of a sharded channel is at the node that serves its slot.
 *
 * <p>A lost connection ends it, and a slot that moves to another node. Lettuce would reconnect at once, however often that happens, and look
 * for a sharded channel at the former node.
 */
final class LettuceSubscription extends RedisPubSubAdapter<byte[], byte[]>
        implements Subscription, RedisConnectionStateListener {

    private static final Log log = LogFactory.getLog(LettuceSubscription.class);

    private static final Duration MAX_STEP = Duration.ofSeconds(2);

    private final Receiver receiver;
    private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private final AtomicBoolean over = new AtomicBoolean();

    private LettuceSubscription(StatefulRedisPubSubConnection<byte[], byte[]> connection, Receiver receiver) {
        this.connection = connection;
        this.receiver = receiver;
    }

    /** Whether this version of Lettuce knows sharded channels; 6.4 is the first. */
    static boolean canBeSharded() {
        return ClassUtils.hasMethod(RedisPubSubAsyncCommands.class, "ssubscribe", Object[].class);
    }

    static Subscription classic(AbstractRedisClient client, String channel, Receiver receiver) {
        LettuceSubscription subscription = new LettuceSubscription(connect(client), receiver);
        try {
            subscription.listenOn(subscription.connection);
            await(subscription.connection.async().subscribe(channel.getBytes(StandardCharsets.UTF_8)));
            receiver.subscribed();
            return subscription;
        } catch (RuntimeException e) {
            subscription.close();
            throw e;
        }
    }

    private static StatefulRedisPubSubConnection<byte[], byte[]> connect(AbstractRedisClient client) {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.connectPubSub(ByteArrayCodec.INSTANCE);
        }
        // With a static list of a master and its replicas, "RedisURI is not available": a refusal for good.
        return ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
    }

    static Subscription sharded(RedisClusterClient client, String channel, Receiver receiver) {
        byte[] name = channel.getBytes(StandardCharsets.UTF_8);
        StatefulRedisClusterPubSubConnection<byte[], byte[]> connections =
                client.connectPubSub(ByteArrayCodec.INSTANCE);
        LettuceSubscription subscription = new LettuceSubscription(connections, receiver);
        try {
            RedisClusterNode node = client.getPartitions().getPartitionBySlot(SlotHash.getSlot(name));
            if (node == null) {
                throw new IllegalStateException("No node is known to serve the slot of the channel");
            }
            StatefulRedisPubSubConnection<byte[], byte[]> part = await(connections.getConnectionAsync(
                    node.getUri().getHost(), node.getUri().getPort()));
            subscription.listenOn(part);
            await(part.async().ssubscribe(name));
            receiver.subscribed();
            return subscription;
        } catch (RuntimeException e) {
            subscription.close();
            // The slot may have moved: the next attempt is to find it.
            client.refreshPartitionsAsync();
            throw e;
        }
    }

    private void listenOn(StatefulRedisPubSubConnection<byte[], byte[]> part) {
        part.addListener((RedisConnectionStateListener) this);
        part.addListener((RedisPubSubListener<byte[], byte[]>) this);
    }

    private static <T> T await(CompletionStage<T> stage) {
        return Subscription.await(stage.toCompletableFuture(), MAX_STEP);
    }

    @Override
    public void message(byte[] classicChannel, byte[] message) {
        receiver.received(message);
    }

    @Override
    public void smessage(byte[] shardChannel, byte[] message) {
        receiver.received(message);
    }

    /** Redis says so when the slot has moved. */
    @Override
    public void sunsubscribed(byte[] shardChannel, long count) {
        lost();
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> part) {
        lost();
    }

    private void lost() {
        if (over.compareAndSet(false, true)) {
            connection.closeAsync();
            receiver.lost();
        }
    }

    /** Waits for it, because the client may be shut down next. */
    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            try {
                await(connection.closeAsync());
            } catch (RuntimeException e) {
                log.debug("The subscription did not end in time", e);
            }
        }
    }
}
