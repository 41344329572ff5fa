package io.distributionlock.test.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Measures the longest time during which this process did not run or a server did not answer. */
final class StandstillWatch implements AutoCloseable {

    private static final long TICK_NANOS = Duration.ofMillis(5).toNanos();

    private final List<Thread> watchers = new ArrayList<>();
    private volatile boolean closed;
    private long longestNanos;

    StandstillWatch(List<LockFixture.Probe> servers) {
        long start = System.nanoTime();
        watchers.add(new Thread(() -> watchProcess(start), "standstill-watch"));
        for (LockFixture.Probe server : servers) {
            watchers.add(new Thread(() -> watchServer(start, server), "standstill-watch-server"));
        }
        watchers.forEach(watcher -> {
            watcher.setDaemon(true);
            watcher.start();
        });
    }

    private void watchProcess(long start) {
        long last = start;
        while (!closed) {
            last = addGapSince(last);
            LockSupport.parkNanos(TICK_NANOS);
        }
        addGapSince(last);
    }

    private void watchServer(long start, LockFixture.Probe server) {
        try (server) {
            long last = start;
            while (!closed) {
                server.ping();
                last = addGapSince(last);
                LockSupport.parkNanos(TICK_NANOS);
            }
            server.ping();
            addGapSince(last);
        } catch (Exception gone) {
            // A test has ended the server. Its pauses until then are recorded.
        }
    }

    private synchronized long addGapSince(long last) {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - last);
        return now;
    }

    synchronized Duration longest() {
        return Duration.ofNanos(longestNanos);
    }

    /** Measures a last time, so that a pause that is just over counts. */
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
