package io.distributionlock.aop;

import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;

/** The lock that a call did not acquire. */
interface RefusedLock {

    /** Its full name. */
    String lockName();

    /** The annotation that asks for it. */
    DistributionLock annotation();

    /** The methods that answer for it. */
    FallbackMethods fallbacks();

    /** Why it was not acquired. */
    LockOutcome.NotAcquired outcome();
}
