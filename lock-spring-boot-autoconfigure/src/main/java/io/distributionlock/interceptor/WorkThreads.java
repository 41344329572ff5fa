package io.distributionlock.interceptor;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * The threads on which an asynchronous method goes on after an answer has come, since the thread that brings the answer must not
 * block. They belong to the library: an executor of the application may drop a task, and with it the release of a lock.
 */
final class WorkThreads {

    private static final String NAME = "distribution-lock-work";
    private static final int MOST_PLATFORM_THREADS = 256;
    private static final long IDLE_SECONDS = 10;

    private WorkThreads() {}

    /** Refuses no task. Its threads are virtual from Java 21 on; before, further tasks wait. */
    static Executor create() {
        return Runtime.version().feature() >= 21 ? virtual() : platform();
    }

    private static Executor virtual() {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor(NAME);
        threads.setVirtualThreads(true);
        return threads;
    }

    private static Executor platform() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_PLATFORM_THREADS,
                MOST_PLATFORM_THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                WorkThreads::thread);
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** Without what the thread that starts it would pass on: the caller's context is shown to each task. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(WorkThreads.class.getClassLoader());
        return thread;
    }
}
