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
        long start = System.nanoTime();
        return new Attempt() {
            @Override
            public Hold acquired(Lease lease) {
                return publishAcquired(request, lease, start);
            }

            @Override
            public void notAcquired(LockOutcome.NotAcquired outcome) {
                if (outcome instanceof LockOutcome.Busy busy) {
                    events.publish(new LockBusyEvent(request.name(), request.label(), request.kind(), busy.waited()));
                }
            }
        };
    }

    /** Publishes the acquisition. What runs the work publishes a loss, because it knows the method. */
    private Hold publishAcquired(LockRequest request, Lease lease, long start) {
        long now = System.nanoTime();
        events.publish(new LockAcquiredEvent(
                request.name(), request.label(), request.kind(), token(lease), Duration.ofNanos(now - start)));
        return () -> events.publish(new LockReleasedEvent(
                request.name(),
                request.label(),
                request.kind(),
                token(lease),
                Duration.ofNanos(System.nanoTime() - now)));
    }

    private static long token(Lease lease) {
        return lease.knownFencingToken().orElse(0);
    }

    @Override
    public void forced(String lockName, boolean wasHeld) {
        events.publish(new LockForcedEvent(lockName, wasHeld));
    }
}
