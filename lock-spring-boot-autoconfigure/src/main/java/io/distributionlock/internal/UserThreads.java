package io.distributionlock.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run code of the application: asynchronous methods, stages of futures, listeners. Each task has a thread to itself, so it
 * may block for good and holds up no other. Nothing of the library waits for such a thread.
 *
 * <p>They belong to the library, since an executor of the application may drop a task, and with it the release of a lock.
 *
 * @hidden
 */
@Internal
public final class UserThreads {

    private static final String NAME = "distribution-lock-callbacks";

    /** Before, code that blocks in a {@code synchronized} block holds one of the few threads that carry all virtual ones. */
    private static final int GOOD_VIRTUAL_THREADS_SINCE = 24;

    private static final ThreadFactory PLATFORM = task -> new Thread(null, task, NAME, 0, false);
    private static final Pool POOL = new Pool();
    private static final Executor EXECUTOR =
            Runtime.version().feature() >= GOOD_VIRTUAL_THREADS_SINCE ? virtual() : POOL;

    private UserThreads() {}

    /** Runs each task on a thread of its own; if none can be started at present, once one can. Never on the calling thread. */
    public static Executor executor() {
        return EXECUTOR;
    }

    /**
     * Tries again to start a thread for tasks that could not get one. For a thread of the library that wakes up regularly.
     *
     * @return whether there are still such tasks
     */
    public static boolean areMissing() {
        return POOL.isMissingOne();
    }

    private static Executor virtual() {
        try {
            Class<?> builderType = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            builderType.getMethod("name", String.class).invoke(builder, NAME);
            builderType
                    .getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(builder, false);
            ThreadFactory threads =
                    (ThreadFactory) builderType.getMethod("factory").invoke(builder);
            return task -> {
                try {
                    start(threads, task);
                } catch (Error noThread) {
                    POOL.execute(task);
                }
            };
        } catch (ReflectiveOperationException e) {
            return POOL;
        }
    }

    private static void start(ThreadFactory threads, Runnable task) {
        Thread thread = threads.newThread(task);
        thread.setContextClassLoader(UserThreads.class.getClassLoader());
        if (threads == PLATFORM) {
            thread.setDaemon(true);
        }
        thread.start();
    }

    /**
     * As many threads as tasks block, which end a while after their last task. A thread that takes a task starts the next if more are
     * waiting: so short tasks share a few threads however many come at once, and who hands over a task starts one thread at most.
     */
    private static final class Pool implements Executor, Runnable {

        private static final long IDLE_SECONDS = 10;

        private final LinkedBlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

        /** Threads that wait for a task, or have just been started. */
        private final AtomicInteger free = new AtomicInteger();

        @Override
        public void execute(Runnable task) {
            waiting.add(task);
            isMissingOne();
        }

        /** Whether a task waits for a thread although none could be started for it. */
        boolean isMissingOne() {
            if (waiting.isEmpty() || !free.compareAndSet(0, 1)) {
                return false;
            }
            try {
                start(PLATFORM, this);
                return false;
            } catch (Error noThread) {
                free.decrementAndGet();
                return true;
            }
        }

        @Override
        public void run() {
            for (Runnable task = next(); task != null; task = next()) {
                free.decrementAndGet();
                isMissingOne();
                task.run();
                free.incrementAndGet();
            }
            free.decrementAndGet();
            isMissingOne();
        }

        private @Nullable Runnable next() {
            while (true) {
                try {
                    return waiting.poll(IDLE_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException leftByTheTaskBefore) {
                    // The flag is cleared.
                }
            }
        }
    }
}
