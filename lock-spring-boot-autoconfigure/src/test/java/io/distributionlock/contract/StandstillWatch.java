package io.distributionlock.contract;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Sees for how long at a stretch nothing of this process ran, because its machine was paused or busy with others. */
final class StandstillWatch implements AutoCloseable {

    private static final long TICK_NANOS = Duration.ofMillis(5).toNanos();

    private final Thread watcher = new Thread(this::watch, "standstill-watch");
    private volatile boolean closed;
    private volatile long longestNanos;

    StandstillWatch() {
        watcher.setDaemon(true);
        watcher.start();
    }

    private void watch() {
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - last);
            last = now;
        }
    }

    Duration longest() {
        return Duration.ofNanos(longestNanos);
    }

    /** Looks a last time, at what may have ended just now. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        LockSupport.unpark(watcher);
        watcher.join();
    }
}
