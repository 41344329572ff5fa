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
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

/**
 * A dedicated native connection, made by the client of a connection factory, which reports when it is back after it was lost. The
 * shared connection of the factory will not do: it must not be closed when it is dead, and slow commands of other users delay locks.
 *
 * <p>A connection to one server reports these events itself. One to several servers (Cluster, or a master with readable replicas)
 * hides its parts; there the client reports the events of each part.
 */
final class DedicatedConnection {

    /** How many commands are sent to a server that is silent. */
    private static final int MAX_IN_SILENCE = 1_000;

    private static final int NOT_SILENT = -1;

    private final Runnable closing;
    private final StatefulConnection<byte[], byte[]> connection;
    private final RedisChannelHandler<?, ?> handler;
    private final @Nullable AbstractRedisClient client;
    private volatile @Nullable RedisConnectionStateListener watcher;
    private volatile boolean givenUp;
    private volatile long epoch;
    private volatile long answeredAt = System.nanoTime();

    /** How many commands were sent since it is known that the server is silent. */
    private final AtomicInteger sentInSilence = new AtomicInteger(NOT_SILENT);

    private DedicatedConnection(
            Runnable closing, StatefulConnection<byte[], byte[]> connection, @Nullable AbstractRedisClient client) {
        this.closing = closing;
        this.connection = connection;
        this.handler = (RedisChannelHandler<?, ?>) connection;
        this.client = client;
    }

    /**
     * Connects to one server, to the master that Sentinels name, or to a Cluster. Blocks, up to the client's own timeouts.
     */
    static DedicatedConnection open(LettuceConnectionFactory factory) {
        AbstractRedisClient client = factory.getNativeClient();
        if (client instanceof RedisClusterClient toCluster) {
            return over(toCluster.connect(ByteArrayCodec.INSTANCE), client);
        }
        if (client instanceof RedisClient toOne) {
            try {
                return over(untimed(toOne.connect(ByteArrayCodec.INSTANCE)), client);
            } catch (IllegalStateException e) {
                // The client of a static list of servers does not know their addresses; its factory does.
                return ofFactory(factory, client);
            }
        }
        throw new IllegalStateException("The Lettuce connection factory has no client; was it stopped?");
    }

    /** The engine gives each command its time. Lettuce would set a timer for each as well. */
    private static StatefulConnection<byte[], byte[]> untimed(StatefulConnection<byte[], byte[]> connection) {
        connection.setTimeout(Duration.ZERO);
        return connection;
    }

    /**
     * A connection of the factory itself: one of its own, for which a pipeline makes Spring Data Redis ask. From a pool, that would be one
     * that the application may need, so there it is the one that all share.
     */
    private static DedicatedConnection ofFactory(LettuceConnectionFactory factory, AbstractRedisClient client) {
        boolean pooled = factory.getClientConfiguration() instanceof LettucePoolingClientConfiguration;
        RedisConnection borrowed = factory.getConnection();
        try {
            if (!pooled || !factory.getShareNativeConnection()) {
                borrowed.openPipeline();
            }
            return new DedicatedConnection(borrowed::close, nativeConnection(borrowed), client);
        } catch (RuntimeException e) {
            borrowed.close();
            throw e;
        }
    }

    /** @param client the client that made the connection and reports the events of its parts */
    static DedicatedConnection over(
            StatefulConnection<byte[], byte[]> connection, @Nullable AbstractRedisClient client) {
        return new DedicatedConnection(connection::close, connection, client);
    }

    @SuppressWarnings("unchecked") // the factory connects with byte arrays
    private static StatefulConnection<byte[], byte[]> nativeConnection(RedisConnection borrowed) {
        Object commands = borrowed.getNativeConnection();
        if (commands instanceof RedisAsyncCommands<?, ?> toOneServer) {
            return ((RedisAsyncCommands<byte[], byte[]>) toOneServer).getStatefulConnection();
        }
        throw new IllegalStateException("The Lettuce connection factory returned a native connection of "
                + commands.getClass().getName() + ", which the locks cannot use.");
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /**
     * Sends commands in their order, to one server in one flush. Never blocks: given several for a Cluster, Lettuce would first connect to
     * the node of each slot.
     */
    void dispatch(List<? extends LettuceScriptCommand<?>> commands) {
        if (sentInSilence.get() != NOT_SILENT) {
            sentInSilence.updateAndGet(sent -> sent == NOT_SILENT ? sent : sent + commands.size());
        }
        if (commands.size() == 1 || !(connection instanceof StatefulRedisConnection)) {
            commands.forEach(this::dispatch);
            return;
        }
        try {
            connection.dispatch(commands);
        } catch (RuntimeException e) {
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    /** Sends a command; an error becomes its failure. */
    void dispatch(AsyncCommand<byte[], byte[], ?> command) {
        try {
            connection.dispatch(command);
        } catch (RuntimeException e) {
            command.completeExceptionally(e);
        }
    }

    /**
     * Whether no more commands are sent until there is an answer: they would pile up here and in Redis, even if they are cancelled. Before,
     * so many are sent that what is under way can be released, since answers may be all that is lost.
     */
    boolean isFull() {
        return sentInSilence.get() >= MAX_IN_SILENCE;
    }

    /** A command that was sent then has no answer. Of several servers, the others may answer. */
    void noteSilenceSince(long moment) {
        if (isToOneServer() && !hasAnsweredSince(moment)) {
            sentInSilence.compareAndSet(NOT_SILENT, 0);
        }
    }

    boolean hasAnsweredSince(long moment) {
        return answeredAt - moment > 0;
    }

    /** Notes an answer. Returns whether it ends a silence. */
    boolean answered() {
        answeredAt = System.nanoTime();
        return sentInSilence.get() != NOT_SILENT && sentInSilence.getAndSet(NOT_SILENT) != NOT_SILENT;
    }

    /** Whether it will never reconnect: its factory was stopped or reset, or its client is told not to. */
    boolean isClosed() {
        return handler.isClosed()
                || !connection.isOpen() && !handler.getOptions().isAutoReconnect();
    }

    /**
     * Reports from now on when the connection is back after it was lost, on Lettuce's event loop, before anything is received over the
     * new connection.
     */
    void watch(Runnable onBack) {
        RedisConnectionStateListener watching = new Watcher(onBack);
        watcher = watching;
        if (isToOneServer()) {
            handler.addListener(watching);
        } else if (client != null) {
            client.addListener(watching);
        }
    }

    /** Whether it is a single connection. */
    boolean isToOneServer() {
        return connection instanceof StatefulRedisConnection
                && !(connection instanceof StatefulRedisMasterReplicaConnection);
    }

    /** Differs after each loss of a connection, and from that of every other one that takes its place. */
    long epoch() {
        return epoch;
    }

    void begin(long newEpoch) {
        epoch = newEpoch;
        sentInSilence.set(NOT_SILENT);
    }

    /** Closes it because another one takes its place: its commands have to be sent again. */
    void giveUp() {
        givenUp = true;
        close();
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Stops watching, and closes the connection. */
    void close() {
        RedisConnectionStateListener watching = watcher;
        if (watching != null) {
            watcher = null;
            handler.removeListener(watching);
            if (client != null) {
                client.removeListener(watching);
            }
        }
        if (!isClosed()) {
            // The factory may have closed it before: Lettuce warns of a second time.
            closing.run();
        }
    }

    /**
     * A part that is closed on purpose (by a topology refresh, say) is not lost. After a failover, a new part replaces the lost one.
     */
    private static final class Watcher implements RedisConnectionStateListener {

        private final Runnable onBack;
        private final AtomicInteger lost = new AtomicInteger();

        Watcher(Runnable onBack) {
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
