package io.distributionlock.monitor;

import io.distributionlock.LockRequest;
import io.micrometer.observation.Observation;

/** The context of an observed attempt or lease. */
public final class LockObservationContext extends Observation.Context {

    /** The outcome while there is none. */
    static final String UNKNOWN = "none";

    private final LockObservation observation;
    private final LockRequest request;
    private volatile String outcome = UNKNOWN;

    /** An observation that has no outcome yet. */
    public LockObservationContext(LockObservation observation, LockRequest request) {
        this.observation = observation;
        this.request = request;
    }

    /** Whether this observes an attempt or a lease. */
    public LockObservation observation() {
        return observation;
    }

    /** The request. Do not tag metrics with its name: there may be very many. */
    public LockRequest request() {
        return request;
    }

    /** One of the outcomes of {@link LockObservation}, or {@code none} while there is none. */
    public String outcome() {
        return outcome;
    }

    /** Sets the outcome. */
    public void endedWith(String newOutcome) {
        this.outcome = newOutcome;
    }
}
