package io.distributionlock.test;

import io.distributionlock.Lease;
import java.time.Duration;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a {@link Lease}. */
public final class LeaseAssert extends AbstractAssert<LeaseAssert, Lease> {

    LeaseAssert(Lease lease) {
        super(lease, LeaseAssert.class);
    }

    /** The lock is held. */
    public LeaseAssert isValid() {
        isNotNull();
        if (!actual.isValid()) {
            failWithMessage("Expected the lease of lock '%s' to be valid, but it was lost or released.", actual.name());
        }
        return this;
    }

    /** The lock is not held any more: its lease was lost or released. */
    public LeaseAssert isNotValid() {
        isNotNull();
        if (actual.isValid()) {
            failWithMessage(
                    "Expected the lease of lock '%s' to be over, but it is valid for another %s.",
                    actual.name(), actual.remaining());
        }
        return this;
    }

    /** It is the lease of the lock of this name. */
    public LeaseAssert hasName(String name) {
        isNotNull();
        if (!actual.name().equals(name)) {
            failWithMessage("Expected the lease of lock '%s', but it is that of '%s'.", name, actual.name());
        }
        return this;
    }

    /** The lease lasts at least this long without being renewed. */
    public LeaseAssert lastsAtLeast(Duration time) {
        isNotNull();
        Duration remaining = actual.remaining();
        if (remaining.compareTo(time) < 0) {
            failWithMessage(
                    "Expected the lease of lock '%s' to last %s or longer, but it lasts %s.",
                    actual.name(), time, remaining);
        }
        return this;
    }
}
