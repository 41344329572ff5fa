package io.distributionlock.redis.message;

import io.distributionlock.internal.Await;
import io.distributionlock.redis.message.Subscription.Receiver;
import io.lettuce.core.RedisChannelHandler;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.util.ClassUtils;

/**
 * A subscription to a sharded channel of a Cluster, at the node that serves its slot.
 *
 * <p>A lost connection, and a slot that moves to another node, end it. Lettuce would look for the channel at the former node.
 */
final class ShardedSubscription extends RedisPubSubAdapter<byte[], byte[]>
        implements Subscription, RedisConnectionStateListener {

    private static final Duration LONGEST_STEP = Duration.ofSeconds(2);

    private final Receiver receiver;
    private final StatefulRedisClusterPubSubConnection<byte[], byte[]> connections;
    private final AtomicBoolean over = new AtomicBoolean();

    private ShardedSubscription(StatefulRedisClusterPubSubConnection<byte[], byte[]> connections, Receiver receiver) {
        this.connections = connections;
        this.receiver = receiver;
    }

    /** Whether this version of Lettuce knows sharded channels; 6.4 is the first. */
    static boolean isPossible() {
        return ClassUtils.hasMethod(RedisPubSubAsyncCommands.class, "ssubscribe", Object[].class);
    }

    static Subscription open(RedisClusterClient client, String channel, Receiver receiver) {
        byte[] name = channel.getBytes(StandardCharsets.UTF_8);
        ShardedSubscription subscription =
                new ShardedSubscription(client.connectPubSub(ByteArrayCodec.INSTANCE), receiver);
        try {
            subscription.subscribe(client.getPartitions().getPartitionBySlot(SlotHash.getSlot(name)), name);
            return subscription;
        } catch (RuntimeException e) {
            subscription.close();
            // The slot may have moved: the next attempt is to find it.
            client.refreshPartitionsAsync();
            throw e;
        }
    }

    private void subscribe(RedisClusterNode node, byte[] name) {
        if (node == null) {
            throw new IllegalStateException("No node is known to serve the slot of the channel");
        }
        StatefulRedisPubSubConnection<byte[], byte[]> connection = await(connections.getConnectionAsync(
                node.getUri().getHost(), node.getUri().getPort()));
        connection.addListener((RedisConnectionStateListener) this);
        connection.addListener((RedisPubSubListener<byte[], byte[]>) this);
        await(connection.async().ssubscribe(name));
        receiver.subscribed();
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return Await.atMost(LONGEST_STEP, stage.toCompletableFuture());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
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
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        lost();
    }

    private void lost() {
        if (over.compareAndSet(false, true)) {
            receiver.lost();
        }
    }

    @Override
    public void close() {
        over.set(true);
        connections.closeAsync();
    }
}
