package io.distributionlock.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that run application callbacks: listeners of lost leases, and stages attached to futures that the library returns. A
 * callback may block; it delays no lock, and delays other callbacks only when very many block at once. Threads exist only while
 * needed.
 *
 * @hidden
 */
@Internal
public final class CallbackThreads {

    private static final int MOST_THREADS = 64;
    private static final long IDLE_SECONDS = 10;

    private static final Pool POOL = new Pool();

    private CallbackThreads() {}

    /** Runs each task on a callback thread, or on the calling thread if no thread can be started. */
    public static Executor executor() {
        return POOL;
    }

    private static final class Pool implements Executor {

        private final Tasks waiting = new Tasks();
        private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
                1, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, waiting, Pool::thread, (task, pool) -> {
                    waiting.add(task);
                    // The last thread may have ended since the task was rejected.
                    pool.prestartCoreThread();
                });

        Pool() {
            threads.allowCoreThreadTimeOut(true);
        }

        @Override
        public void execute(Runnable task) {
            try {
                threads.execute(task);
            } catch (Error noThread) {
                // A late notification on this thread is better than none.
                task.run();
            }
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(null, work, "distribution-lock-callbacks", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(CallbackThreads.class.getClassLoader());
            return thread;
        }
    }

    /** Accepts a task only if an idle thread waits for one, so that the pool otherwise starts another thread. */
    private static final class Tasks extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        /** Queues the task although no thread is idle. */
        @Override
        public boolean add(Runnable task) {
            return super.offer(task);
        }
    }
}
