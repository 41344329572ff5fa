package io.distributionlock.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that end a while after their last task.
 *
 * @hidden
 */
@Internal
public final class DaemonThreads {

    private static final long IDLE_SECONDS = 10;

    private DaemonThreads() {}

    /** One thread with an unbounded queue. */
    public static ThreadPoolExecutor single(String name) {
        return single(name, Integer.MAX_VALUE);
    }

    /** One thread with a bounded queue. */
    public static ThreadPoolExecutor single(String name, int mostWaiting) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(mostWaiting), factory(name));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** One thread for delayed tasks; a shutdown drops them. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, factory(name));
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /** A thread for each task, which may block for long. */
    public static Executor each(String name) {
        ThreadFactory threads = factory(name);
        return task -> threads.newThread(task).start();
    }

    private static ThreadFactory factory(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
