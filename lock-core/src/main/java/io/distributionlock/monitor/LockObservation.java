package io.distributionlock.monitor;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of locks; each creates a timer, a timer of what is active now ({@code .active}) and a span. */
public enum LockObservation implements ObservationDocumentation {

    /**
     * An attempt, from start to outcome. Outcomes: {@code acquired}, {@code busy}, {@code interrupted} (also if cancelled),
     * {@code incompatible}, {@code backend_failed}, {@code not_replicated}, {@code error} for a programming error, {@code postponed} if
     * it was one of several locks, found busy at a first look.
     */
    WAIT("distribution.lock.wait"),

    /**
     * A lease, from acquisition to end. Outcomes: {@code released}, or why it was lost, a {@link io.distributionlock.Lease.LossReason}:
     * {@code expired}, {@code forced}, {@code gone}, {@code no_answer}, {@code paused}, {@code stopped}, {@code unknown}.
     */
    HOLD("distribution.lock.hold");

    private final String standardName;

    LockObservation(String standardName) {
        this.standardName = standardName;
    }

    @Override
    public String getName() {
        return standardName;
    }

    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
        return DefaultLockObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return Tag.values();
    }

    @Override
    public String getPrefix() {
        return "";
    }

    /** The tags. */
    public enum Tag implements KeyName {

        /** The key of the annotation, or the label of the request; {@code none} if there is none. Never the name of the lock. */
        KEY("key"),

        /** The kind of the lock: {@code reentrant}, {@code fair}, {@code read}, {@code write}. */
        KIND("kind"),

        /** The outcome; {@code none} while there is none. */
        OUTCOME("outcome");

        private final String text;

        Tag(String text) {
            this.text = text;
        }

        @Override
        public String asString() {
            return text;
        }
    }
}
