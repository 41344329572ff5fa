package io.distributionlock.aop;

import io.distributionlock.MessageText;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events one after another on a thread of its own, so that listeners may block and see them in their order. Events that
 * come faster than listeners take them are dropped in the end: locks must not wait for listeners, and memory must not fill up.
 */
public final class EventQueue implements AutoCloseable {

    private static final Log log = LogFactory.getLog(EventQueue.class);

    private static final int MOST_EVENTS = 10_000;
    private static final long IDLE_SECONDS = 10;

    private final CarefulPublisher publisher;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_EVENTS), EventQueue::thread);

    /** Publishes to the listeners of this publisher. */
    public EventQueue(ApplicationEventPublisher publisher) {
        this.publisher = new CarefulPublisher(publisher);
        executor.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "distribution-lock-events");
        thread.setDaemon(true);
        return thread;
    }

    /** Publishes this event when those before it have been. */
    public void add(Object event) {
        try {
            executor.execute(() -> publish(event));
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown() && dropped.getAndIncrement() == 0) {
                log.warn("Listeners of lock events are too slow: more than " + MOST_EVENTS
                        + " events wait, and what comes now is dropped until they have caught up.");
            }
        }
    }

    private void publish(Object event) {
        if (executor.getQueue().isEmpty() && dropped.get() > 0) {
            log.warn(dropped.getAndSet(0) + " events of locks were dropped.");
        }
        try {
            publisher.publish(event);
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
