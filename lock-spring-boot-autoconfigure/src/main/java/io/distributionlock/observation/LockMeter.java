package io.distributionlock.observation;

import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockObservation;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.docs.MeterDocumentation;

/**
 * The meters of locks, in addition to the timers of {@link LockObservation}.
 *
 * @hidden
 */
@Internal
public enum LockMeter implements MeterDocumentation {

    /** Leases that this process holds now, including re-entries. */
    HELD("distribution.lock.held", Meter.Type.GAUGE, Tag.EXECUTOR),

    /** Attempts of this process without an outcome yet. */
    WAITING("distribution.lock.waiting", Meter.Type.GAUGE, Tag.EXECUTOR),

    /** Attempts that ended because other holders kept the lock for the whole waiting time. */
    BUSY("distribution.lock.busy", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Attempts that ended because the backend failed or the process is stopping. */
    BACKEND_ERRORS("distribution.lock.backend.errors", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Leases that were lost before their release. */
    LEASES_LOST("distribution.lock.leases.lost", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Leases that were renewed. */
    RENEWALS("distribution.lock.renewals", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Locks that were handed to this process: by a holder in it, or by another process. */
    HANDOVERS("distribution.lock.handovers", Meter.Type.COUNTER, Tag.EXECUTOR, Tag.FROM),

    /** Releases that were not answered in time, and are repeated in the background. */
    RELEASES_UNCONFIRMED("distribution.lock.releases.unconfirmed", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Releases that were never answered, and are no longer repeated. */
    RELEASES_DROPPED("distribution.lock.releases.dropped", Meter.Type.COUNTER, Tag.EXECUTOR),

    /** Leases that were lost before the guarded work ended. */
    LOST(LockMeters.LOST, Meter.Type.COUNTER, Tag.METHOD, Tag.REASON),

    /** Annotated methods that ran without their lock because the backend failed and they declare {@code PROCEED}. */
    BYPASSED(LockMeters.BYPASSED, Meter.Type.COUNTER, Tag.METHOD);

    private final String text;
    private final Meter.Type type;
    private final KeyName[] tags;

    LockMeter(String text, Meter.Type type, KeyName... tags) {
        this.text = text;
        this.type = type;
        this.tags = tags;
    }

    @Override
    public String getName() {
        return text;
    }

    @Override
    public Meter.Type getType() {
        return type;
    }

    @Override
    public KeyName[] getKeyNames() {
        return tags.clone();
    }

    /** The tags. */
    public enum Tag implements KeyName {

        /** The bean name of the executor. */
        EXECUTOR("executor"),

        /** Where the lock came from: {@code local} or {@code remote}. */
        FROM("from"),

        /** The class and method, as {@code OrderService.updateOrder}. */
        METHOD("method"),

        /** Why the lease was lost: a {@link io.distributionlock.Lease.LossReason}, in capitals. */
        REASON("reason");

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
