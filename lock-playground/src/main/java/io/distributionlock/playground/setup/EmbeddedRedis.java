package io.distributionlock.playground.setup;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Redis server beside the application. The first instance starts it, later ones join it, and the last one to
 * leave stops it, so any instance may come and go while the others continue.
 *
 * <p>Each instance keeps one named connection by which the others count it. The connection ends with its process, so a
 * killed instance does not count. If the last instance is killed, its Redis keeps running; the next instance joins it
 * and stops it in the end. If the server is killed and another one is started in its place, the connection is
 * re-established automatically.
 *
 * <p>Two instances that start at the same time may both start a server. Only one server gets the port; the other one
 * exits, and both instances use the first.
 *
 * <p>Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {

    /** In the directory of a server that the playground started: its process id. */
    public static final String PID_FILE = "lock-playground-redis.pid";

    static final String HOST = "127.0.0.1";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final String PRESENT = "lock-playground";
    private static final String LEAVING = "lock-playground-leaving";
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(15);

    private static final Duration START_POLL = Duration.ofMillis(50);
    private static final Duration SOONEST_RECONNECT = Duration.ofMillis(10);
    private static final Duration LATEST_RECONNECT = Duration.ofSeconds(1);

    private final int port;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> presence;

    private EmbeddedRedis(int port, RedisClient client, StatefulRedisConnection<String, String> presence) {
        this.port = port;
        this.client = client;
        this.presence = presence;
    }

    /**
     * Joins the Redis on this port of the machine, or starts one if there is none. Returns when it answers. Throws an
     * {@link IllegalStateException} if it does not answer within 15 seconds, or if the thread is interrupted meanwhile.
     *
     * @param dataDirectory the directory of the server's log; each server needs its own
     * @param remedy what to do if it does not start, for the exception message
     */
    public static EmbeddedRedis startOrJoin(int port, Path dataDirectory, String remedy) {
        RedisClient client = client(port);
        try {
            StatefulRedisConnection<String, String> presence = connect(client);
            if (presence != null) {
                LOG.info("Joined the Redis that already runs at {}:{}", HOST, port);
            } else {
                Path log = RedisProgram.start(HOST, port, dataDirectory, remedy);
                presence = awaitConnection(client, port, log, remedy);
                LOG.info("Started an embedded Redis at {}:{}, its log is {}", HOST, port, log);
            }
            return new EmbeddedRedis(port, client, presence);
        } catch (RuntimeException failed) {
            end(client);
            throw failed;
        }
    }

    /** The port, on the loopback interface only. */
    public int port() {
        return port;
    }

    /** Asks the server something, on a connection by which nobody is counted. Empty if it does not answer in time. */
    public <T> Optional<T> ask(Duration timeout, Function<RedisCommands<String, String>, Optional<T>> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect(uri(port, timeout))) {
            return question.apply(connection.sync());
        } catch (RedisException gone) {
            LOG.debug("The embedded Redis at {}:{} does not answer", HOST, port, gone);
            return Optional.empty();
        }
    }

    /** Leaves, and stops the server if the playground started it and no other instance uses it. */
    @Override
    public void close() {
        try (StatefulRedisConnection<String, String> last = lastConnection()) {
            if (last == null) {
                return;
            }
            RedisCommands<String, String> redis = last.sync();
            // Leave first, then look: of two instances that leave at the same time, at least one sees no other.
            redis.clientSetname(LEAVING);
            if (isOurs(redis) && !anyonePresent(redis)) {
                LOG.info("Stopping the embedded Redis at {}:{}", HOST, port);
                Path log = Path.of(redis.configGet("dir").getOrDefault("dir", "."), RedisProgram.LOG_FILE);
                redis.shutdown(false);
                // Its last words would bring the log back.
                for (int pauses = 0; last.isOpen() && pauses < 40; pauses++) {
                    pause();
                }
                log.toFile().delete();
            }
        } catch (RedisException alreadyGone) {
            LOG.debug("The embedded Redis at {}:{} does not answer any more", HOST, port, alreadyGone);
        } finally {
            end(client);
        }
    }

    /** Reconnects, because a server that was restarted just now may not have been noticed yet and must be stopped. */
    private @Nullable StatefulRedisConnection<String, String> lastConnection() {
        if (presence.isOpen()) {
            return presence;
        }
        presence.close();
        return connect(client);
    }

    private static boolean isOurs(RedisCommands<String, String> redis) {
        return redis.configGet("pidfile").getOrDefault("pidfile", "").endsWith(PID_FILE);
    }

    private static boolean anyonePresent(RedisCommands<String, String> redis) {
        return redis.clientList().lines().anyMatch(client -> client.contains(" name=" + PRESENT + " "));
    }

    private static RedisClient client(int port) {
        ClientResources resources = ClientResources.builder()
                .reconnectDelay(Delay.exponential(SOONEST_RECONNECT, LATEST_RECONNECT, 2, TimeUnit.MILLISECONDS))
                .build();
        RedisURI uri = uri(port, COMMAND_TIMEOUT);
        uri.setClientName(PRESENT);
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return client;
    }

    private static RedisURI uri(int port, Duration timeout) {
        return RedisURI.Builder.redis(HOST, port).withTimeout(timeout).build();
    }

    private static void end(RedisClient client) {
        ClientResources resources = client.getResources();
        client.shutdown(0, COMMAND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        resources.shutdown(0, COMMAND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static @Nullable StatefulRedisConnection<String, String> connect(RedisClient client) {
        try {
            return client.connect();
        } catch (RedisConnectionException nobodyThere) {
            return null;
        }
    }

    private static StatefulRedisConnection<String, String> awaitConnection(
            RedisClient client, int port, Path log, String remedy) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < START_TIMEOUT.toNanos()) {
            StatefulRedisConnection<String, String> connection = connect(client);
            if (connection != null) {
                return connection;
            }
            pause();
        }
        throw new IllegalStateException("The embedded Redis at " + HOST + ":" + port + " did not answer within "
                + START_TIMEOUT.toSeconds() + " s; its log is " + log + ". To mend that, " + remedy + ".");
    }

    private static void pause() {
        try {
            Thread.sleep(START_POLL.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded Redis was starting", interrupted);
        }
    }
}
