package io.distributionlock.quorum;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The system's monotonic clock, and one thread. */
final class SystemAlarm implements Alarm {

    private static final Log log = LogFactory.getLog(SystemAlarm.class);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "distribution-lock-quorum");
        thread.setDaemon(true);
        return thread;
    });

    SystemAlarm() {
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public Handle after(long nanos, Runnable task) {
        try {
            Future<?> scheduled = executor.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            // Closed: nobody waits for anything any more.
            return () -> {};
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A task of the quorum failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
