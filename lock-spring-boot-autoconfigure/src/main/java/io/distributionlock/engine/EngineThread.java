package io.distributionlock.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The one thread of a process that lets time pass in its engine: sleeps until something is due, then ticks. */
final class EngineThread {

    private static final Log log = LogFactory.getLog(EngineThread.class);

    /** The thread is awake, or will look before it sleeps: nobody has to wake it. */
    private static final long AWAKE = Long.MIN_VALUE;

    private final LockEngine engine;
    private final LongSupplier clock;
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
            } catch (Throwable e) {
                // Whatever went wrong with one name, the others still have to be renewed.
                log.error("A tick of the lock engine failed; it goes on", e);
                LockSupport.parkNanos(Times.nanos(10));
            }
            sleepUntilDue();
            wakesAt = AWAKE;
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
