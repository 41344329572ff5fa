package io.distributionlock.observe;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Observes waiting and holding by Micrometer; see {@link LockObservation}. Does nothing on a registry that observes nothing. */
public final class LockObservations implements LockObserver {

    private final ObservationRegistry registry;

    /** Observes in this registry. */
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

        /** The holding may begin on another thread, and belongs to the same trace. */
        private final @Nullable Observation parent = registry.getCurrentObservation();

        private final Observed waiting;

        ObservedWait(LockRequest request) {
            this.request = request;
            this.waiting = start(LockObservation.WAIT, request, parent);
        }

        @Override
        public Hold acquired(Lease lease) {
            waiting.end("acquired");
            return new ObservedHold(start(LockObservation.HOLD, request, parent));
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {
            String reason = outcome.reason().name().toLowerCase(Locale.ROOT);
            if (outcome instanceof LockOutcome.BackendFailed failed) {
                waiting.end(reason, failed.cause());
            } else {
                waiting.end(reason);
            }
        }

        @Override
        public void failed(Throwable mistake) {
            waiting.end("error", mistake);
        }
    }

    private record ObservedHold(Observed holding) implements Hold {

        @Override
        public void released() {
            holding.end("released");
        }

        @Override
        public void lost() {
            holding.end("lost");
        }
    }
}
