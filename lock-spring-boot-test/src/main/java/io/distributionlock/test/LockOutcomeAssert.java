package io.distributionlock.test;

import io.distributionlock.LockOutcome;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a {@link LockOutcome}. */
public final class LockOutcomeAssert extends AbstractAssert<LockOutcomeAssert, LockOutcome> {

    LockOutcomeAssert(LockOutcome outcome) {
        super(outcome, LockOutcomeAssert.class);
    }

    /** The lock was acquired. */
    public LockOutcomeAssert isAcquired() {
        return is(LockOutcome.Acquired.class);
    }

    /** Somebody else held the lock. */
    public LockOutcomeAssert isBusy() {
        return is(LockOutcome.Busy.class);
    }

    /** The waiting thread was interrupted, or the attempt was cancelled. */
    public LockOutcomeAssert isInterrupted() {
        return is(LockOutcome.Interrupted.class);
    }

    /** The backend failed. */
    public LockOutcomeAssert isBackendFailed() {
        return is(LockOutcome.BackendFailed.class);
    }

    /** The lock was acquired; further assertions are about its lease. */
    public LeaseAssert lease() {
        isAcquired();
        return new LeaseAssert(((LockOutcome.Acquired) actual).lease());
    }

    private LockOutcomeAssert is(Class<? extends LockOutcome> expected) {
        isNotNull();
        if (!expected.isInstance(actual)) {
            failWithMessage("Expected the attempt to end with %s, but it was %s.", expected.getSimpleName(), actual);
        }
        return this;
    }
}
