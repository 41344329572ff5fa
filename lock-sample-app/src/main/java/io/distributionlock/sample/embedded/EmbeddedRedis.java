package io.distributionlock.sample.embedded;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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

    static final String HOST = "127.0.0.1";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final String PRESENT = "lock-sample-app";
    private static final String LEAVING = "lock-sample-app-leaving";
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(15);

    /** Generous, because a slow answer on a busy machine must not look like a server that has gone. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(15);

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

    /** The uptime that the server reports, in whole seconds; empty if it does not answer. */
    public Optional<Duration> uptime() {
        if (!presence.isOpen()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Duration.ofSeconds(Long.parseLong(serverInfo(presence.sync(), "uptime_in_seconds"))));
        } catch (RedisException gone) {
            LOG.debug("The embedded Redis at {}:{} does not answer", HOST, port, gone);
            return Optional.empty();
        }
    }

    /**
     * Kills the server as {@code kill -9} does: at once, with all its data. Does not wait for its end.
     *
     * @return false if nothing was done, because the sample did not start this server or it has already gone
     */
    public boolean kill() {
        try (StatefulRedisConnection<String, String> connection = connect(client)) {
            if (connection == null) {
                return false;
            }
            connection.setTimeout(KILL_TIMEOUT);
            Optional<ProcessHandle> process = ownProcess(connection.sync());
            process.ifPresent(ProcessHandle::destroyForcibly);
            return process.isPresent();
        } catch (RedisException alreadyGone) {
            LOG.debug("The embedded Redis at {}:{} does not answer", HOST, port, alreadyGone);
            return false;
        }
    }

    /** Leaves, and stops the server if the sample started it and no other instance uses it. */
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
                redis.shutdown(false);
            }
        } catch (RedisException alreadyGone) {
            LOG.debug("The embedded Redis at {}:{} does not answer any more", HOST, port, alreadyGone);
        } finally {
            end(client);
        }
    }

    /**
     * Reconnects, because a server that was restarted just now may not have been noticed yet and must not be left
     * running.
     */
    private @Nullable StatefulRedisConnection<String, String> lastConnection() {
        if (presence.isOpen()) {
            return presence;
        }
        presence.close();
        return connect(client);
    }

    private static boolean isOurs(RedisCommands<String, String> redis) {
        return setting(redis, "pidfile").endsWith(RedisProgram.PID_FILE);
    }

    /** Empty if the server runs elsewhere, behind a forwarded port: its file is not on this machine. */
    private static Optional<ProcessHandle> ownProcess(RedisCommands<String, String> redis) {
        if (!isOurs(redis)) {
            return Optional.empty();
        }
        String process = serverInfo(redis, "process_id");
        try {
            String written = Files.readString(Path.of(setting(redis, "dir"), RedisProgram.PID_FILE));
            return written.strip().equals(process) ? ProcessHandle.of(Long.parseLong(process)) : Optional.empty();
        } catch (IOException notHere) {
            LOG.debug("The Redis with process id {} does not run on this machine", process, notHere);
            return Optional.empty();
        }
    }

    private static String setting(RedisCommands<String, String> redis, String name) {
        return redis.configGet(name).getOrDefault(name, "");
    }

    private static String serverInfo(RedisCommands<String, String> redis, String field) {
        String begin = field + ":";
        return redis.info("server")
                .lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()).strip())
                .findFirst()
                .orElseThrow(() -> new RedisException("Redis does not report its " + field));
    }

    private static boolean anyonePresent(RedisCommands<String, String> redis) {
        return redis.clientList().lines().anyMatch(client -> client.contains(" name=" + PRESENT + " "));
    }

    private static RedisClient client(int port) {
        ClientResources resources = ClientResources.builder()
                .reconnectDelay(Delay.exponential(SOONEST_RECONNECT, LATEST_RECONNECT, 2, TimeUnit.MILLISECONDS))
                .build();
        RedisClient client = RedisClient.create(
                resources,
                RedisURI.builder()
                        .withHost(HOST)
                        .withPort(port)
                        .withTimeout(COMMAND_TIMEOUT)
                        .withClientName(PRESENT)
                        .build());
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return client;
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
