package io.distributionlock.observation;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.event.LockAcquiredEvent;
import io.distributionlock.event.LockBusyEvent;
import io.distributionlock.event.LockEvents;
import io.distributionlock.event.LockForcedEvent;
import io.distributionlock.event.LockReleasedEvent;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockObserver;
import java.time.Duration;

/**
 * Publishes {@link LockAcquiredEvent}, {@link LockReleasedEvent}, {@link LockBusyEvent} and {@link LockForcedEvent} in an
 * application.
 *
 * @hidden
 */
@Internal
public final class LockEventPublisher implements LockObserver {

    private final LockEvents events;

    /** @param events where to publish, with the losses of the same leases */
    public LockEventPublisher(LockEvents events) {
        this.events = events;
    }

    @Override
    public Attempt attempt(LockRequest request) {
        return new WatchedAttempt(request, System.nanoTime());
    }

    @Override
    public void forced(String lockName, boolean wasHeld) {
        events.publish(new LockForcedEvent(lockName, wasHeld));
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
            events.publish(new LockAcquiredEvent(
                    request.name(),
                    request.label(),
                    request.kind(),
                    lease.knownFencingToken().orElse(0),
                    Duration.ofNanos(now - start)));
            return new WatchedHold(request, lease, now);
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {
            if (outcome instanceof LockOutcome.Busy busy) {
                events.publish(new LockBusyEvent(request.name(), request.label(), request.kind(), busy.waited()));
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
            events.publish(new LockReleasedEvent(
                    request.name(),
                    request.label(),
                    request.kind(),
                    lease.knownFencingToken().orElse(0),
                    Duration.ofNanos(System.nanoTime() - start)));
        }

        /** Published by what runs the work: it knows the method. */
        @Override
        public void lost() {}
    }
}
