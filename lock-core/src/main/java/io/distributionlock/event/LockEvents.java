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
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes all events of an application's locks in order, on a thread of its own: listeners may block, and the threads of the
 * engine must not. If listeners fall too far behind, events are dropped: locks must not wait for listeners, and memory must not
 * fill up.
 *
 * @hidden
 */
@Internal
public final class LockEvents implements AutoCloseable {

    private static final Log log = LogFactory.getLog(LockEvents.class);

    private static final int MAX_EVENTS = 10_000;
    private static final long IDLE_SECONDS = 10;

    private final ApplicationEventPublisher publisher;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_EVENTS), LockEvents::thread);

    /** Publishes there. What it throws is logged. */
    public LockEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "distribution-lock-events");
        thread.setDaemon(true);
        return thread;
    }

    /** Publishes this event after those before it. */
    public void publish(Object event) {
        try {
            executor.execute(() -> publishNow(event));
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown() && dropped.getAndIncrement() == 0) {
                log.warn("Listeners of lock events are too slow: " + MAX_EVENTS
                        + " events are waiting, and further events are dropped until the listeners have caught up.");
            }
        }
    }

    private void publishNow(Object event) {
        if (executor.getQueue().isEmpty() && dropped.get() > 0) {
            log.warn(dropped.getAndSet(0) + " lock events were dropped.");
        }
        try {
            publisher.publishEvent(event);
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
