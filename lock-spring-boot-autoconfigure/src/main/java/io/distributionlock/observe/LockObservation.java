package io.distributionlock.observe;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** What is observed of locks: a timer and a span for each. */
public enum LockObservation implements ObservationDocumentation {

    /**
     * An attempt, from its beginning to its outcome. Outcomes: {@code acquired}, {@code busy}, {@code interrupted} (also for a
     * cancelled one), {@code backend_failed}, {@code not_replicated}, {@code error} for a mistake in the program.
     */
    WAIT("distribution.lock.wait"),

    /** A lease, from its beginning to its end. Outcomes: {@code released}, {@code lost}. */
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

        /** The key of the annotation, or the label of the request; {@code none} without. Never the name of the lock. */
        KEY("key"),

        /** In which way the lock is taken: {@code reentrant}, {@code fair}, {@code read}, {@code write}. */
        KIND("kind"),

        /** How it ended; {@code none} while it has not. */
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
