package io.distributionlock.rack;

import java.time.Duration;

/** Looks for how long this process did not run although it wanted to: an overloaded machine measures itself. */
final class Standstill implements AutoCloseable {

    private static final int STEP = 5;

    private final Thread thread = new Thread(this::look, "standstill");
    private volatile long longest;

    Standstill() {
        thread.setDaemon(true);
        thread.start();
    }

    private void look() {
        long before = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(STEP);
            } catch (InterruptedException over) {
                return;
            }
            long now = System.nanoTime();
            longest = Math.max(longest, now - before);
            before = now;
        }
    }

    Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
