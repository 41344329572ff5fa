package io.distributionlock.observation;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
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
    public @Nullable Attempt attempt(LockRequest request) {
        return registry.isNoop() ? null : new Wait(request, registry.getCurrentObservation());
    }

    private Observation start(LockObservation what, LockRequest request, @Nullable Observation parent) {
        return what.observation(null, new Convention(what), () -> new LockObservationContext(what, request), registry)
                .parentObservation(parent)
                .start();
    }

    private static void end(Observation observation, String outcome) {
        // Another context is that of an observation that the application does not want.
        if (observation.getContext() instanceof LockObservationContext context) {
            context.endedWith(outcome.toLowerCase(Locale.ROOT));
        }
        observation.stop();
    }

    /** Has a name, so that {@code management.observations.enable} can switch each observation off. */
    private static final class Convention extends DefaultLockObservationConvention {

        private final LockObservation what;

        Convention(LockObservation what) {
            this.what = what;
        }

        @Override
        public String getName() {
            return what.getName();
        }
    }

    private final class Wait implements Attempt {

        private final LockRequest request;

        /** The hold may begin on another thread, but belongs to the same trace. */
        private final @Nullable Observation parent;

        private final Observation wait;

        Wait(LockRequest request, @Nullable Observation parent) {
            this.request = request;
            this.parent = parent;
            this.wait = start(LockObservation.WAIT, request, parent);
        }

        @Override
        public Hold acquired(Lease lease) {
            end(wait, "acquired");
            Observation hold = start(LockObservation.HOLD, request, parent);
            return new Hold() {
                @Override
                public void released() {
                    end(hold, "released");
                }

                @Override
                public void lost(LossReason reason) {
                    end(hold, reason.name());
                }
            };
        }

        @Override
        public void notAcquired(LockOutcome.NotAcquired outcome) {
            if (outcome instanceof LockOutcome.BackendFailed failed) {
                wait.error(failed.cause());
            }
            end(wait, outcome.reason().name());
        }

        @Override
        public void postponed() {
            end(wait, "postponed");
        }

        @Override
        public void failed(Throwable error) {
            wait.error(error);
            end(wait, "error");
        }
    }
}
