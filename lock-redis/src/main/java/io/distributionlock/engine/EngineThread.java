package io.distributionlock.engine;

import io.distributionlock.internal.UserThreads;
import io.distributionlock.state.Times;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The one thread of an engine: sleeps until something is due, then ticks. It starts when something is due for the first time, and only
 * {@link #stop} ends it: without it no lease would be renewed, and no attempt would ever time out.
 */
final class EngineThread {

    /** The thread is awake, or looks again before it sleeps: no need to wake it. */
    private static final long AWAKE = Long.MIN_VALUE;

    private static final long PAUSE_AFTER_FAILURE_NANOS = Times.nanos(10);

    /** Pause before the next try when no thread could be started for a listener. */
    private static final long PAUSE_WITHOUT_THREADS_NANOS = Times.nanos(100);

    private final LockEngine engine;
    private final LongSupplier clock;
    private final Thread thread;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile long wakesAt = Times.NEVER;
    private volatile boolean stopped;

    EngineThread(LockEngine engine, LongSupplier clock) {
        this.engine = engine;
        this.clock = clock;
        this.thread = new Thread(null, this::run, "distribution-lock-engine", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(EngineThread.class.getClassLoader());
    }

    /** Makes sure that a tick follows at this time. */
    void wakeBy(long moment) {
        if (moment >= wakesAt) {
            return;
        }
        if (started.get()) {
            LockSupport.unpark(thread);
        } else {
            start();
        }
    }

    private void start() {
        if (stopped || !started.compareAndSet(false, true)) {
            return;
        }
        try {
            thread.start();
        } catch (Throwable e) {
            // Out of threads: the next event that needs a tick tries again.
            started.set(false);
            FailureLog.report(e);
        }
    }

    void stop() {
        stopped = true;
        if (!started.get()) {
            return;
        }
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
                FailureLog.report(e);
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
        if (UserThreads.areMissing()) {
            pause = Math.min(pause, PAUSE_WITHOUT_THREADS_NANOS);
        }
        if (pause > 0 && !stopped) {
            LockSupport.parkNanos(this, pause);
        }
    }
}
