package io.distributionlock.redis;

import io.netty.util.internal.ThreadExecutorMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends what waits: on the event loop of the connection once that is known, otherwise on the thread that asks. One thread at a time, so that
 * the order stays.
 */
final class Drain {

    private enum Status {
        /** Nothing waits. */
        IDLE,
        /** Something may wait that the sending has not begun to look for. */
        REQUIRED,
        /** The sending goes on, and will find all that waited when it began. */
        PROCESSING
    }

    private final Runnable sending;
    private final AtomicReference<Status> status = new AtomicReference<>(Status.IDLE);
    private volatile @Nullable Executor eventLoop;

    /** @param sending sends all that waits; never blocks */
    Drain(Runnable sending) {
        this.sending = sending;
    }

    boolean isOnEventLoop() {
        return eventLoop != null;
    }

    /** The event loop of this thread sends from now on. This is internal to Netty; without it, callers send. */
    void useEventLoopOfThisThread() {
        try {
            eventLoop = ThreadExecutorMap.currentExecutor();
        } catch (LinkageError e) {
            leaveEventLoop();
        }
    }

    void leaveEventLoop() {
        eventLoop = null;
    }

    /** What waits by now is sent soon. */
    void require() {
        if (status.getAndSet(Status.REQUIRED) != Status.IDLE) {
            return;
        }
        Executor loop = eventLoop;
        if (loop != null) {
            try {
                loop.execute(this::process);
                return;
            } catch (RejectedExecutionException e) {
                // The client was shut down.
                leaveEventLoop();
            }
        }
        process();
    }

    private void process() {
        do {
            status.set(Status.PROCESSING);
            try {
                sending.run();
            } catch (RuntimeException | Error e) {
                status.set(Status.IDLE);
                throw e;
            }
        } while (!status.compareAndSet(Status.PROCESSING, Status.IDLE));
    }
}
