package io.distributionlock.event;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of locks in order, on a thread of its own: listeners may block, and the threads of the engine must not. If
 * listeners fall too far behind, events are dropped: locks must not wait for listeners, and memory must not fill up.
 *
 * @hidden
 */
@Internal
public final class LockEvents implements AutoCloseable {

    private static final Log log = LogFactory.getLog(LockEvents.class);

    private static final int MOST_EVENTS = 10_000;
    private static final long IDLE_SECONDS = 10;

    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_EVENTS), LockEvents::thread);
    private volatile @Nullable IsolatingPublisher publisher;

    /** Publishes nothing until it is known where to. */
    public LockEvents() {
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "distribution-lock-events");
        thread.setDaemon(true);
        return thread;
    }

    /** From now on, the listeners of this publisher receive the events. */
    public void publishTo(ApplicationEventPublisher target) {
        this.publisher = new IsolatingPublisher(target);
    }

    /** Whether there is a listener for events of one of these types. Costs little more than comparing the number of listeners. */
    public boolean hasListenerFor(Class<?>... types) {
        IsolatingPublisher target = publisher;
        return target != null && target.hasListenerFor(types);
    }

    /** Publishes this event after those before it. */
    public void publish(Object event) {
        IsolatingPublisher target = publisher;
        if (target == null) {
            return;
        }
        try {
            executor.execute(() -> publish(event, target));
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown() && dropped.getAndIncrement() == 0) {
                log.warn("Listeners of lock events are too slow: " + MOST_EVENTS
                        + " events are waiting, and further events are dropped until the listeners have caught up.");
            }
        }
    }

    /** Publishes this event on the calling thread, and returns when the listeners have. */
    public void publishNow(Object event) {
        IsolatingPublisher target = publisher;
        if (target != null) {
            publish(event, target);
        }
    }

    private void publish(Object event, IsolatingPublisher target) {
        if (executor.getQueue().isEmpty() && dropped.get() > 0) {
            log.warn(dropped.getAndSet(0) + " lock events were dropped.");
        }
        try {
            target.publish(event);
        } catch (RuntimeException e) {
            log.warn("A listener failed on " + MessageText.of(event), e);
        }
    }

    /** Publishes nothing more. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
