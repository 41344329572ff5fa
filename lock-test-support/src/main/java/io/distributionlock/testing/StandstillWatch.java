package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Sees for how long at a stretch nothing of this process ran, or one of the servers did not answer, because the machine was paused
 * or busy with others.
 */
public final class StandstillWatch implements AutoCloseable {

    private static final long TICK_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Thread> watchers = new ArrayList<>();
    private volatile boolean closed;
    private long longestNanos;

    /** @param servers may be none; they are asked all the time, so that tests which count PINGs cannot be watched */
    public StandstillWatch(List<RedisProcess> servers) {
        long start = System.nanoTime();
        watchers.add(new Thread(() -> watch(start, () -> {}), "standstill-watch"));
        for (RedisProcess server : servers) {
            watchers.add(new Thread(() -> watchServer(start, server.port()), "standstill-watch-" + server.port()));
        }
        watchers.forEach(watcher -> {
            watcher.setDaemon(true);
            watcher.start();
        });
    }

    private void watchServer(long start, int port) {
        try (RespClient client = new RespClient(port)) {
            watch(start, () -> client.command("PING"));
        } catch (IOException | UncheckedIOException gone) {
            // A test ended it; what it was like before has been seen.
        }
    }

    private void watch(long start, Runnable question) {
        long last = start;
        while (!closed) {
            last = look(last, question);
            LockSupport.parkNanos(TICK_NANOS);
        }
        look(last, question);
    }

    private long look(long last, Runnable question) {
        question.run();
        long now = System.nanoTime();
        sawGap(now - last);
        return now;
    }

    private synchronized void sawGap(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
    }

    /** The longest of all until now. */
    public synchronized Duration longest() {
        return Duration.ofNanos(longestNanos);
    }

    /** Looks a last time, at what may have ended just now. */
    @Override
    public void close() {
        closed = true;
        watchers.forEach(LockSupport::unpark);
        for (Thread watcher : watchers) {
            try {
                watcher.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
