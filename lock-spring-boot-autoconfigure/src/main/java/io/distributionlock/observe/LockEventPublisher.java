package io.distributionlock.observe;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.aop.EventQueue;
import java.time.Duration;
import java.util.function.Supplier;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Publishes {@link LockAcquiredEvent}, {@link LockReleasedEvent}, {@link LockBusyEvent} and {@link LockForcedEvent} in an
 * application, each only if it has a listener.
 */
public final class LockEventPublisher implements LockObserver, AutoCloseable {

    private final EventListeners listeners;
    private final EventQueue queue;

    /** Publishes to this application. */
    public LockEventPublisher(ConfigurableApplicationContext context) {
        this.listeners = new EventListeners(
                context, LockAcquiredEvent.class, LockReleasedEvent.class, LockBusyEvent.class, LockForcedEvent.class);
        this.queue = new EventQueue(context);
    }

    @Override
    public boolean isActive() {
        return !listeners.heard().isEmpty();
    }

    @Override
    public Attempt attempt(LockRequest request) {
        return new WatchedAttempt(request, System.nanoTime());
    }

    @Override
    public void forced(String lockName, boolean wasHeld) {
        publish(LockForcedEvent.class, () -> new LockForcedEvent(lockName, wasHeld));
    }

    private void publish(Class<?> type, Supplier<Object> event) {
        if (listeners.listenTo(type)) {
            queue.add(event.get());
        }
    }

    /** Stops publishing. */
    @Override
    public void close() {
        queue.close();
    }

    private final class WatchedAttempt implements Attempt {

        private final LockRequest request;
        private final long start;

        WatchedAttempt(LockRequest request, long start) {
            this.request = request;
            this.start = start;
        }

        @Override
        public Hold acquired(Lease lease) {
            long now = System.nanoTime();
            publish(
                    LockAcquiredEvent.class,
                    () -> new LockAcquiredEvent(
                            request.name(),
                            request.label(),
                            request.kind(),
                            lease.fencingToken(),
                            Duration.ofNanos(now - start)));
            return new WatchedHold(request, lease, now);
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {
            if (outcome instanceof LockOutcome.Busy busy) {
                publish(
                        LockBusyEvent.class,
                        () -> new LockBusyEvent(request.name(), request.label(), request.kind(), busy.waited()));
            }
        }

        @Override
        public void failed(Throwable error) {}
    }

    private final class WatchedHold implements Hold {

        private final LockRequest request;
        private final Lease lease;
        private final long start;

        WatchedHold(LockRequest request, Lease lease, long start) {
            this.request = request;
            this.lease = lease;
            this.start = start;
        }

        @Override
        public void released() {
            publish(
                    LockReleasedEvent.class,
                    () -> new LockReleasedEvent(
                            request.name(),
                            request.label(),
                            request.kind(),
                            lease.fencingToken(),
                            Duration.ofNanos(System.nanoTime() - start)));
        }

        /** The code that guards work by the lease publishes the loss, with the method. */
        @Override
        public void lost() {}
    }
}
