package io.distributionlock.test;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;

/** Entry to the assertions about locks; goes together with a static import of AssertJ's own. */
public final class LockAssertions {

    private LockAssertions() {}

    /** Begins assertions about a lease. */
    public static LeaseAssert assertThat(Lease lease) {
        return new LeaseAssert(lease);
    }

    /** Begins assertions about how an attempt ended. */
    public static LockOutcomeAssert assertThat(LockOutcome outcome) {
        return new LockOutcomeAssert(outcome);
    }

    /** Begins assertions about what was asked of an executor. */
    public static ScriptedLockExecutorAssert assertThat(ScriptedLockExecutor executor) {
        return new ScriptedLockExecutorAssert(executor);
    }
}
