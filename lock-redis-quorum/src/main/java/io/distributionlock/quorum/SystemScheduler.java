package io.distributionlock.quorum;

import io.distributionlock.internal.DaemonThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The system's monotonic clock and one thread. */
final class SystemScheduler implements Scheduler {

    private static final Log log = LogFactory.getLog(SystemScheduler.class);

    private final ScheduledThreadPoolExecutor executor = DaemonThreads.timer("distribution-lock-quorum");

    SystemScheduler() {
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Future<?> schedule(long delayNanos, Runnable task) {
        try {
            return executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A scheduled task of the quorum failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
