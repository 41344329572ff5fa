package io.distributionlock.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The one thread of a process that lets time pass in its engine: sleeps until something is due, then ticks. It ends when it is
 * stopped and in no other way: without it no lock would be renewed, and nobody's time would ever be over.
 */
final class EngineThread {

    /** The thread is awake, or will look before it sleeps: nobody has to wake it. */
    private static final long AWAKE = Long.MIN_VALUE;

    private static final long PAUSE_AFTER_FAILURE_NANOS = Times.nanos(10);

    private final LockEngine engine;
    private final LongSupplier clock;
    private final Failures failures = new Failures();
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

    /** Makes sure that there is a tick at this time. */
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
                failures.tell(e);
            }
            wakesAt = AWAKE;
            // Whoever depends on a future may have left it so, and an interrupted thread does not sleep.
            Thread.interrupted();
        }
    }

    private void sleepUntilDue() {
        wakesAt = engine.due();
        // Looked at again: somebody may have noted an earlier time before he could see when this thread wakes.
        long due = Math.min(wakesAt, engine.due());
        long nap = due - clock.getAsLong();
        if (nap > 0 && !stopped) {
            LockSupport.parkNanos(this, nap);
        }
    }
}
