package io.distributionlock;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where code of the application runs that waits for news of a lock: listeners of lost leases, and what hangs on futures that were
 * handed out. It may block, and holds up neither the locks nor, until very many do, each other. The threads are there only while
 * they are needed.
 */
public final class CallbackThreads {

    private static final int MOST_THREADS = 64;
    private static final long IDLE_SECONDS = 10;

    private static final Pool POOL = new Pool();

    private CallbackThreads() {}

    /** Runs each task, on the calling thread if and only if no other can be had. */
    public static Executor executor() {
        return POOL;
    }

    private static final class Pool implements Executor {

        private final Tasks waiting = new Tasks();
        private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
                1, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, waiting, Pool::thread, (task, pool) -> {
                    waiting.add(task);
                    // The last thread may have gone since the task was refused.
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
                // What is told late, and here, is better than what is never told.
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

    /** Takes a task only from the hand of a thread that waits for one, so that the pool starts another thread otherwise. */
    private static final class Tasks extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }

        /** Without a thread that takes it at once. */
        @Override
        public boolean add(Runnable task) {
            return super.offer(task);
        }
    }
}
