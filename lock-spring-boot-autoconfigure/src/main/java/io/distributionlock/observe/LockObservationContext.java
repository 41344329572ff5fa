package io.distributionlock.observe;

import io.distributionlock.LockRequest;
import io.micrometer.observation.Observation;

/** What is known of an attempt or of a lease while it is observed. */
public final class LockObservationContext extends Observation.Context {

    /** How it ended, while it has not. */
    static final String UNKNOWN = "none";

    private final LockObservation observation;
    private final LockRequest request;
    private volatile String outcome = UNKNOWN;

    LockObservationContext(LockObservation observation, LockRequest request) {
        this.observation = observation;
        this.request = request;
    }

    /** Whether this is the waiting or the holding. */
    public LockObservation observation() {
        return observation;
    }

    /** What was asked for. Its name is one of very many: take it into no tag of a metric. */
    public LockRequest request() {
        return request;
    }

    /** How it ended: one of the outcomes of {@link LockObservation}, {@code none} while it has not. */
    public String outcome() {
        return outcome;
    }

    void endedWith(String newOutcome) {
        this.outcome = newOutcome;
    }
}
