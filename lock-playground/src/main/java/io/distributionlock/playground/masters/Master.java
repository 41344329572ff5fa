package io.distributionlock.playground.masters;

import io.distributionlock.playground.setup.EmbeddedRedis;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of the three servers, independent of the others. Thread-safe. */
final class Master implements AutoCloseable {

    private static final String REMEDY =
            "set other ports of 127.0.0.1, or Redis servers of your own, in distribution-lock.quorum.nodes";

    private static final Duration STATE_TIMEOUT = Duration.ofSeconds(2);

    /** Generous, because a slow answer on a busy machine must not look like a server that has gone. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(15);

    private final int port;
    private final Path directory;
    private final Duration restartDelay;
    private volatile @Nullable EmbeddedRedis redis;

    Master(int port, Path directory, Duration restartDelay) {
        this.port = port;
        this.directory = directory;
        this.restartDelay = restartDelay;
    }

    int port() {
        return port;
    }

    /**
     * Starts the server, or joins it if another instance has started it. Returns when it answers; otherwise throws an
     * {@link IllegalStateException}.
     */
    synchronized void start() {
        if (uptime().isEmpty()) {
            close();
            redis = EmbeddedRedis.startOrJoin(port, directory, REMEDY);
        }
    }

    /**
     * Kills the server as {@code kill -9} does. Returns false if it was not running, or the playground did not start it.
     */
    synchronized boolean kill() {
        EmbeddedRedis present = redis;
        return present != null && kill(present);
    }

    /** The same for any server. */
    static boolean kill(EmbeddedRedis server) {
        Optional<ProcessHandle> process = server.ask(KILL_TIMEOUT, Master::ownProcess);
        process.ifPresent(ProcessHandle::destroyForcibly);
        return process.isPresent();
    }

    /** Its current state. */
    State state() {
        return uptime().map(up -> new State(port, true, secondsUntilItCounts(up)))
                .orElse(new State(port, false, 0));
    }

    /** Leaves the server, and stops it if no other instance uses it. */
    @Override
    public synchronized void close() {
        if (redis != null) {
            redis.close();
            redis = null;
            // Only if it is empty: the last one to leave takes the log along.
            directory.toFile().delete();
        }
    }

    private Optional<Duration> uptime() {
        EmbeddedRedis present = redis;
        return present == null
                ? Optional.empty()
                : present.ask(
                        STATE_TIMEOUT,
                        server -> info(server, "uptime_in_seconds")
                                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds))));
    }

    /** Empty if the playground did not start the server on this machine: its file is not here. */
    private static Optional<ProcessHandle> ownProcess(RedisCommands<String, String> server) {
        Path file = Path.of(server.configGet("dir").getOrDefault("dir", ""), EmbeddedRedis.PID_FILE);
        try {
            String written = Files.readString(file).strip();
            return info(server, "process_id")
                    .filter(written::equals)
                    .flatMap(id -> ProcessHandle.of(Long.parseLong(id)));
        } catch (IOException notHere) {
            return Optional.empty();
        }
    }

    static Optional<String> info(RedisCommands<String, String> server, String field) {
        String begin = field + ":";
        return server.info("server")
                .lines()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()).strip())
                .findFirst();
    }

    /** A server reports its uptime in whole seconds, so the lock waits for one second more. */
    private long secondsUntilItCounts(Duration up) {
        if (restartDelay.isZero()) {
            return 0;
        }
        long needed = restartDelay.plusMillis(999).toSeconds() + 1;
        return Math.max(0, needed - up.toSeconds());
    }

    /**
     * The state of a server.
     *
     * @param up whether it answers
     * @param countsInSeconds how long until it counts, if it was started recently; 0 if it counts or is not up
     */
    record State(int port, boolean up, long countsInSeconds) {}
}
