package io.distributionlock.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.masterreplica.StatefulRedisMasterReplicaConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A native connection of the locks' own, made by the client of a connection factory, and the news of its losses and returns. It is
 * not the one that the factory shares among its users: that one is not ours to close when it is dead, and what others ask of it
 * holds up what comes behind.
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

    /**
     * A connection that nobody else uses, to one server, to the master that Sentinels name, or to a Cluster. Connects, and blocks
     * meanwhile up to the client's own timeouts.
     */
    static LettuceLink open(LettuceConnectionFactory factory) {
        AbstractRedisClient client = factory.getNativeClient();
        if (client instanceof RedisClusterClient toCluster) {
            return over(toCluster.connect(ByteArrayCodec.INSTANCE), client);
        }
        if (client instanceof RedisClient toOne) {
            try {
                return over(toOne.connect(ByteArrayCodec.INSTANCE), client);
            } catch (IllegalStateException e) {
                // A client of several servers that are named one by one does not know where to connect to; its factory
                // does.
                return dedicated(factory, client);
            }
        }
        throw new IllegalStateException("The Lettuce connection factory has no client; was it stopped?");
    }

    /** A pipeline makes Spring Data Redis use another connection than the one that all share. */
    private static LettuceLink dedicated(LettuceConnectionFactory factory, AbstractRedisClient client) {
        RedisConnection borrowed = factory.getConnection();
        try {
            borrowed.openPipeline();
            return new LettuceLink(borrowed::close, nativeConnection(borrowed), client);
        } catch (RuntimeException e) {
            borrowed.close();
            throw e;
        }
    }

    /** @param client who made the connection, and tells of the connections that it consists of */
    static LettuceLink over(StatefulConnection<byte[], byte[]> connection, @Nullable AbstractRedisClient client) {
        return new LettuceLink(connection::close, connection, client);
    }

    @SuppressWarnings("unchecked") // the factory connects with byte arrays
    private static StatefulConnection<byte[], byte[]> nativeConnection(RedisConnection borrowed) {
        Object commands = borrowed.getNativeConnection();
        if (commands instanceof RedisAsyncCommands<?, ?> toOneServer) {
            return ((RedisAsyncCommands<byte[], byte[]>) toOneServer).getStatefulConnection();
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

    /** Whether it is one connection, and not made of several. */
    boolean isToOneServer() {
        return connection instanceof StatefulRedisConnection
                && !(connection instanceof StatefulRedisMasterReplicaConnection);
    }

    /** Stops watching, and closes the connection. */
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
