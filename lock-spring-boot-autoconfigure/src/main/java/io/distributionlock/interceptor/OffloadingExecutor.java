package io.distributionlock.interceptor;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Hands tasks to an executor and takes care that each runs, and that none runs on the thread that hands it over: that may be
 * one which the locks themselves need. What the executor refuses, or wants to run at once, gets a thread of its own.
 */
final class OffloadingExecutor implements Executor {

    private static final Log log = LogFactory.getLog(OffloadingExecutor.class);

    private final Supplier<? extends Executor> target;

    OffloadingExecutor(Supplier<? extends Executor> target) {
        this.target = target;
    }

    @Override
    public void execute(Runnable task) {
        Handover handover = new Handover(task);
        try {
            target.get().execute(handover);
        } catch (RuntimeException e) {
            // It is saturated, or has been shut down; but a lock that nobody gives back would be renewed without end.
            log.debug("The executor takes no task; a new thread does it", e);
            handover.runOnItsOwnThread();
        } finally {
            handover.giver = null;
        }
    }

    private static final class Handover implements Runnable {

        private final Runnable task;
        private final AtomicBoolean begun = new AtomicBoolean();
        /** Who is handing the task over at this moment. */
        private volatile @Nullable Thread giver = Thread.currentThread();

        Handover(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == giver) {
                runOnItsOwnThread();
            } else if (begun.compareAndSet(false, true)) {
                task.run();
            }
        }

        void runOnItsOwnThread() {
            if (begun.compareAndSet(false, true)) {
                Thread thread = new Thread(task, "distribution-lock-work");
                thread.setDaemon(true);
                thread.start();
            }
        }
    }
}
