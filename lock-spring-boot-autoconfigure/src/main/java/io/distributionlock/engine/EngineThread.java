package io.distributionlock.engine;

import io.distributionlock.state.Times;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The one thread of an engine: sleeps until something is due, then ticks. Only {@link #stop} ends it: without it no lease would be
 * renewed, and no attempt would ever time out.
 */
final class EngineThread {

    /** The thread is awake, or looks again before it sleeps: no need to wake it. */
    private static final long AWAKE = Long.MIN_VALUE;

    private static final long PAUSE_AFTER_FAILURE_NANOS = Times.nanos(10);

    private final LockEngine engine;
    private final LongSupplier clock;
    private final FailureLog failures = new FailureLog();
    private final Thread thread;
    private volatile long wakesAt = AWAKE;
    private volatile boolean stopped;

    EngineThread(LockEngine engine, LongSupplier clock) {
        this.engine = engine;
        this.clock = clock;
        this.thread = new Thread(this::run, "distribution-lock-engine");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Makes sure that a tick follows at this time. */
    void wakeBy(long moment) {
        if (moment < wakesAt) {
            LockSupport.unpark(thread);
        }
    }

    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            try {
                engine.tick();
                sleepUntilDue();
            } catch (Throwable e) {
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE_NANOS);
                failures.report(e);
            }
            wakesAt = AWAKE;
            // A callback may have left the thread interrupted, and then it would not sleep.
            Thread.interrupted();
        }
    }

    private void sleepUntilDue() {
        wakesAt = engine.due();
        // Read again: an earlier time may have been noted by a thread that could not yet see when this one wakes.
        long due = Math.min(wakesAt, engine.due());
        long pause = due - clock.getAsLong();
        if (pause > 0 && !stopped) {
            LockSupport.parkNanos(this, pause);
        }
    }
}
