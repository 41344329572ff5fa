package io.distributionlock.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run code of the application: asynchronous methods, stages of futures, listeners. Each task has a thread to itself, so it
 * may block or compute for good and holds up no other. Nothing of the library waits for such a thread. None is virtual: few threads carry all
 * virtual ones, and code that computes would hold them.
 *
 * <p>They belong to the library, since an executor of the application may drop a task, and with it the release of a lock.
 *
 * @hidden
 */
@Internal
public final class UserThreads {

    private static final String NAME = "distribution-lock-callbacks";

    private static final Pool POOL = new Pool();

    private UserThreads() {}

    /** Runs each task on a thread of its own; if none can be started at present, once one can. Never on the calling thread. */
    public static Executor executor() {
        return POOL;
    }

    /**
     * Tries again to start a thread for tasks that could not get one. For a thread of the library that wakes up regularly.
     *
     * @return whether there are still such tasks
     */
    public static boolean areMissing() {
        return POOL.isMissingOne();
    }

    /**
     * As many threads as tasks block, which end a while after their last task. A thread that takes a task starts the next if more are
     * waiting: so short tasks share a few threads however many come at once, and who hands over a task starts one thread at most.
     */
    private static final class Pool implements Executor, Runnable {

        private static final long IDLE_SECONDS = 10;

        /** A thread that has done its task ends if more than these are free: in turn, few tasks would keep all threads of a burst. */
        private static final int MAX_FREE = 8;

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
                Thread thread = new Thread(null, this, NAME, 0, false);
                thread.setContextClassLoader(UserThreads.class.getClassLoader());
                thread.setDaemon(true);
                thread.start();
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
                if (free.incrementAndGet() > MAX_FREE) {
                    break;
                }
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
