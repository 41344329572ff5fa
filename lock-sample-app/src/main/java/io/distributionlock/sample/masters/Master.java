package io.distributionlock.sample.masters;

import io.distributionlock.sample.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One of the servers. Knows nothing of the others, nor do they of it. Thread-safe. */
final class Master implements AutoCloseable {

    private static final String REMEDY = "name other ports of 127.0.0.1, or Redis servers of your own, by"
            + " distribution-lock.executors.masters.quorum.nodes";

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

    /** Starts it, or joins it if another instance has; returns when it answers, or throws an {@link IllegalStateException}. */
    synchronized void start() {
        if (uptime().isEmpty()) {
            close();
            redis = EmbeddedRedis.startOrJoin(port, directory, REMEDY);
        }
    }

    /** As {@code kill -9} does. False if there was nothing to kill, or it is not the sample's own. */
    synchronized boolean kill() {
        return redis != null && redis.kill();
    }

    /** How it is at this moment. */
    State state() {
        return uptime().map(up -> new State(port, true, secondsUntilItCounts(up)))
                .orElse(new State(port, false, 0));
    }

    /** Leaves it, and stops it if no other instance uses it. */
    @Override
    public synchronized void close() {
        if (redis != null) {
            redis.close();
            redis = null;
        }
    }

    private Optional<Duration> uptime() {
        EmbeddedRedis present = redis;
        return present == null ? Optional.empty() : present.uptime();
    }

    /** A server tells its age in whole seconds, so that the lock asks for one more. */
    private long secondsUntilItCounts(Duration up) {
        if (restartDelay.isZero()) {
            return 0;
        }
        long needed = restartDelay.plusMillis(999).toSeconds() + 1;
        return Math.max(0, needed - up.toSeconds());
    }

    /**
     * How a server is.
     *
     * @param up whether it answers
     * @param countsInSeconds how long until its word counts, because it was started a short time ago; 0 if it counts, or is not up
     */
    record State(int port, boolean up, long countsInSeconds) {}
}
