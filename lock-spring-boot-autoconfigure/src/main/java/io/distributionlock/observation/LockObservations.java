package io.distributionlock.observation;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.DefaultLockObservationConvention;
import io.distributionlock.monitor.LockObservation;
import io.distributionlock.monitor.LockObservationContext;
import io.distributionlock.monitor.LockObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Observes attempts and leases with Micrometer; see {@link LockObservation}. Inactive if the registry is a no-op.
 *
 * @hidden
 */
@Internal
public final class LockObservations implements LockObserver {

    private final ObservationRegistry registry;

    /** Observes with this registry. */
    public LockObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public boolean isActive() {
        return !registry.isNoop();
    }

    @Override
    public Attempt attempt(LockRequest request) {
        return new ObservedWait(request);
    }

    private Observed start(LockObservation what, LockRequest request, @Nullable Observation parent) {
        LockObservationContext context = new LockObservationContext(what, request);
        Observation observation =
                what.observation(null, DefaultLockObservationConvention.INSTANCE, () -> context, registry);
        if (parent != null) {
            observation.parentObservation(parent);
        }
        return new Observed(observation.start(), context);
    }

    private record Observed(Observation observation, LockObservationContext context) {

        void end(String outcome) {
            context.endedWith(outcome);
            observation.stop();
        }

        void end(String outcome, Throwable error) {
            observation.error(error);
            end(outcome);
        }
    }

    private final class ObservedWait implements Attempt {

        private final LockRequest request;

        /** The hold may begin on another thread, but belongs to the same trace. */
        private final @Nullable Observation parent = registry.getCurrentObservation();

        private final Observed wait;

        ObservedWait(LockRequest request) {
            this.request = request;
            this.wait = start(LockObservation.WAIT, request, parent);
        }

        @Override
        public Hold acquired(Lease lease) {
            wait.end("acquired");
            return new ObservedHold(start(LockObservation.HOLD, request, parent));
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {
            String reason = outcome.reason().name().toLowerCase(Locale.ROOT);
            if (outcome instanceof LockOutcome.BackendFailed failed) {
                wait.end(reason, failed.cause());
            } else {
                wait.end(reason);
            }
        }

        @Override
        public void postponed() {
            wait.end("postponed");
        }

        @Override
        public void failed(Throwable error) {
            wait.end("error", error);
        }
    }

    private record ObservedHold(Observed hold) implements Hold {

        @Override
        public void released() {
            hold.end("released");
        }

        @Override
        public void lost() {
            hold.end("lost");
        }
    }
}
