package io.distributionlock.sample.embedded;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis server beside the application. The first instance starts it, further ones join it, and the last one to leave
 * stops it: so any of them may come and go while the others work on.
 *
 * <p>Who is there is seen by one named connection of each instance. Such a connection ends with its process, so that a killed
 * instance is not counted. If the last instance is killed, its Redis stays; the next one to start joins it, and stops it in
 * the end.
 *
 * <p>Two instances that start at the same time may both start a server; only one of these gets the port, the other one ends,
 * and both instances use the first.
 */
final class EmbeddedRedis implements AutoCloseable {

    static final String HOST = "127.0.0.1";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final String PRESENT = "lock-sample-app";
    private static final String LEAVING = "lock-sample-app-leaving";
    private static final String PID_FILE = "lock-sample-redis.pid";
    private static final String LOG_FILE = "lock-sample-redis.log";
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration START_POLL = Duration.ofMillis(50);

    private final int port;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> presence;

    private EmbeddedRedis(int port, RedisClient client, StatefulRedisConnection<String, String> presence) {
        this.port = port;
        this.client = client;
        this.presence = presence;
    }

    /**
     * Joins the Redis at this port of the machine, or starts one if there is none. Returns when it answers; throws an
     * {@link IllegalStateException} if it does not within 15 seconds.
     *
     * @param dataDirectory where the server's log goes
     */
    static EmbeddedRedis startOrJoin(int port, Path dataDirectory) {
        RedisClient client = RedisClient.create(RedisURI.builder()
                .withHost(HOST)
                .withPort(port)
                .withTimeout(COMMAND_TIMEOUT)
                .withClientName(PRESENT)
                .build());
        try {
            StatefulRedisConnection<String, String> presence = connect(client);
            if (presence != null) {
                LOG.info("Joined the Redis that already runs at {}:{}", HOST, port);
            } else {
                Path log = launch(port, dataDirectory);
                presence = awaitConnection(client, port, log);
                LOG.info("Started an embedded Redis at {}:{}, its log is {}", HOST, port, log);
            }
            return new EmbeddedRedis(port, client, presence);
        } catch (RuntimeException failed) {
            client.shutdown();
            throw failed;
        }
    }

    int port() {
        return port;
    }

    /** Leaves, and stops the server if it is the sample's own and no other instance uses it. */
    @Override
    public void close() {
        try {
            RedisCommands<String, String> redis = presence.sync();
            // First away, then a look around: of two that leave together, at least one sees nobody left.
            redis.clientSetname(LEAVING);
            if (isOurs(redis) && !anyonePresent(redis)) {
                LOG.info("Stopping the embedded Redis at {}:{}", HOST, port);
                redis.shutdown(false);
            }
        } catch (RedisException alreadyGone) {
            LOG.debug("The embedded Redis does not answer any more", alreadyGone);
        } finally {
            presence.close();
            client.shutdown();
        }
    }

    private static boolean isOurs(RedisCommands<String, String> redis) {
        return redis.configGet("pidfile").getOrDefault("pidfile", "").endsWith(PID_FILE);
    }

    private static boolean anyonePresent(RedisCommands<String, String> redis) {
        return redis.clientList().lines().anyMatch(client -> client.contains(" name=" + PRESENT + " "));
    }

    private static @Nullable StatefulRedisConnection<String, String> connect(RedisClient client) {
        try {
            return client.connect();
        } catch (RedisConnectionException nobodyThere) {
            return null;
        }
    }

    private static StatefulRedisConnection<String, String> awaitConnection(RedisClient client, int port, Path log) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < START_TIMEOUT.toNanos()) {
            StatefulRedisConnection<String, String> connection = connect(client);
            if (connection != null) {
                return connection;
            }
            pause();
        }
        throw new IllegalStateException("The embedded Redis at " + HOST + ":" + port + " did not answer within "
                + START_TIMEOUT.toSeconds() + " s; its log is " + log + ". Choose another port by"
                + " sample.embedded-redis.port, or run a Redis of your own and set spring.data.redis.host.");
    }

    private static void pause() {
        try {
            Thread.sleep(START_POLL.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded Redis was starting", interrupted);
        }
    }

    /** Starts the server, and does not wait for it. */
    private static Path launch(int port, Path dataDirectory) {
        try {
            Path directory =
                    Files.createDirectories(dataDirectory).toAbsolutePath().normalize();
            Path log = directory.resolve(LOG_FILE);
            Path unpacked = Files.createTempDirectory("lock-sample-redis");
            try {
                String executable = ExecutableProvider.newJarResourceProvider(unpacked.toFile())
                        .get()
                        .getAbsolutePath();
                Process process = new ProcessBuilder(command(executable, port, directory))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
                process.getOutputStream().close();
                if (isDetached()) {
                    process.waitFor();
                }
            } finally {
                // A running program needs its file no more (except on Windows, which refuses, and keeps it).
                FileSystemUtils.deleteRecursively(unpacked.toFile());
            }
            return log;
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "The embedded Redis cannot be started: run a Redis of your own and set spring.data.redis.host",
                    failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded Redis was starting", interrupted);
        }
    }

    private static List<String> command(String executable, int port, Path directory) {
        List<String> command = new ArrayList<>(List.of(executable, "--bind", HOST, "--port", String.valueOf(port)));
        command.addAll(List.of("--dir", directory.toString(), "--pidfile", PID_FILE, "--logfile", LOG_FILE));
        // Nothing is kept on disk, and memory has a bound.
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of("--maxmemory", "64mb", "--maxmemory-policy", "noeviction"));
        // Detached, it does not hear the Ctrl+C that ends the instance which happened to start it.
        command.addAll(List.of("--daemonize", isDetached() ? "yes" : "no"));
        return command;
    }

    private static boolean isDetached() {
        return !System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    }
}
