package io.distributionlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The native connection of a connection factory, and the news of its losses and returns.
 *
 * <p>A connection to one server tells these itself. One to several servers (Cluster, or a master with readable replicas) hides
 * the connections it is made of; there the client is listened to, which tells of each of them.
 */
final class LettuceLink {

    private final Runnable giveBack;
    private final StatefulConnection<byte[], byte[]> connection;
    private final @Nullable RedisChannelHandler<?, ?> handler;
    private final @Nullable AbstractRedisClient client;
    private volatile @Nullable RedisConnectionStateListener watcher;

    private LettuceLink(
            Runnable giveBack, StatefulConnection<byte[], byte[]> connection, @Nullable AbstractRedisClient client) {
        this.giveBack = giveBack;
        this.connection = connection;
        this.handler = connection instanceof RedisChannelHandler<?, ?> channelHandler ? channelHandler : null;
        this.client = client;
    }

    /** Connects if the factory has not done so yet: blocks up to the client's own timeouts. */
    static LettuceLink open(LettuceConnectionFactory factory) {
        RedisConnection borrowed = factory.getConnection();
        try {
            return new LettuceLink(borrowed::close, nativeConnection(borrowed), factory.getNativeClient());
        } catch (RuntimeException e) {
            borrowed.close();
            throw e;
        }
    }

    /** A connection that nobody else uses, to one server or to the master that Sentinels name. Connects, and blocks meanwhile. */
    static LettuceLink openOwn(LettuceConnectionFactory factory) {
        if (!(factory.getNativeClient() instanceof RedisClient client)) {
            throw new IllegalStateException(
                    "The Lettuce connection factory has no client to one Redis; was it stopped?");
        }
        StatefulRedisConnection<byte[], byte[]> own = client.connect(ByteArrayCodec.INSTANCE);
        return new LettuceLink(own::close, own, client);
    }

    @SuppressWarnings("unchecked") // the factory connects with byte arrays
    private static StatefulConnection<byte[], byte[]> nativeConnection(RedisConnection borrowed) {
        Object commands = borrowed.getNativeConnection();
        if (commands instanceof RedisAsyncCommands<?, ?> toOneServer) {
            return ((RedisAsyncCommands<byte[], byte[]>) toOneServer).getStatefulConnection();
        }
        if (commands instanceof RedisAdvancedClusterAsyncCommands<?, ?> toCluster) {
            return ((RedisAdvancedClusterAsyncCommands<byte[], byte[]>) toCluster).getStatefulConnection();
        }
        throw new IllegalStateException("The Lettuce connection factory gave a native connection of "
                + commands.getClass().getName() + ", which the locks cannot use.");
    }

    StatefulConnection<byte[], byte[]> connection() {
        return connection;
    }

    /** Whether it will never come back by itself, because its factory was stopped or reset. */
    boolean isClosed() {
        return handler != null ? handler.isClosed() : !connection.isOpen();
    }

    /**
     * Tells from now on when the connection is lost and when it is back; called on Lettuce's event loop, before anything is
     * received over the new connection.
     */
    void watch(Runnable onLost, Runnable onBack) {
        if (handler != null && isToOneServer()) {
            WholeConnection watching = new WholeConnection(onLost, onBack);
            watcher = watching;
            handler.addListener(watching);
        } else if (client != null) {
            PartsOfConnection watching = new PartsOfConnection(onBack);
            watcher = watching;
            client.addListener(watching);
        }
    }

    private boolean isToOneServer() {
        return connection instanceof StatefulRedisConnection
                && !(connection instanceof StatefulRedisMasterReplicaConnection);
    }

    /** Stops watching and gives back what was borrowed. */
    void close() {
        RedisConnectionStateListener watching = watcher;
        if (watching != null) {
            watcher = null;
            if (handler != null) {
                handler.removeListener(watching);
            }
            if (client != null) {
                client.removeListener(watching);
            }
        }
        giveBack.run();
    }

    private record WholeConnection(Runnable onLost, Runnable onBack) implements RedisConnectionStateListener {

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            onLost.run();
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
            onBack.run();
        }
    }

    /**
     * Connections that are closed on purpose (after a look at the topology, say) are no loss. After a fail-over the lost
     * connection does not come back, but another one is made.
     */
    private static final class PartsOfConnection implements RedisConnectionStateListener {

        private final Runnable onBack;
        private final AtomicInteger lost = new AtomicInteger();

        PartsOfConnection(Runnable onBack) {
            this.onBack = onBack;
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> part) {
            if (!part.isClosed() && !(part instanceof StatefulRedisPubSubConnection)) {
                lost.incrementAndGet();
            }
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> part, SocketAddress socketAddress) {
            if (!(part instanceof StatefulRedisPubSubConnection)
                    && lost.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                onBack.run();
            }
        }
    }
}
