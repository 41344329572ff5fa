package io.distributionlock.aop;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import java.util.List;

/** How taking all locks of a call ended: all are held, or none. */
sealed interface Taking {

    /** A lease for each lock, in the order of their names. */
    record Taken(List<Lease> leases) implements Taking {}

    /** One lock was not got; those before it were given back. */
    record Refused(PlannedLock lock, LockOutcome.NotAcquired outcome) implements Taking, RefusedLock {

        @Override
        public String lockName() {
            return lock.name();
        }

        @Override
        public DistributionLock annotation() {
            return lock.declared().declaration().annotation();
        }

        @Override
        public FallbackMethods fallbacks() {
            return lock.declared().fallbacks();
        }
    }
}
