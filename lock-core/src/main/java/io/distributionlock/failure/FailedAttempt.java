package io.distributionlock.failure;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.internal.Internal;

/**
 * The lock that a call did not acquire.
 *
 * @hidden
 */
@Internal
public interface FailedAttempt {

    /** What was asked for. */
    LockRequest request();

    /** The full name of the lock. */
    default String lockName() {
        return request().name();
    }

    /** The annotation that asks for it. */
    DistributionLock annotation();

    /** The methods that answer for it. */
    FallbackMethods fallbacks();

    /** Why it was not acquired. */
    LockOutcome.NotAcquired outcome();
}
