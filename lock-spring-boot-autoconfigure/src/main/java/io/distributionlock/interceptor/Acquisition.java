package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.failure.FallbackMethods;
import io.distributionlock.failure.RefusedLock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of acquiring all locks of a call: all are held, or none.
 *
 * @param leases one for each lock, in the order of their names; empty if one was refused
 * @param refused the lock that was not acquired, or {@code null} if all are held
 */
record Acquisition(List<Lease> leases, @Nullable Refused refused) {

    /** A lock that was not acquired, and why. */
    record Refused(PlannedLock lock, LockOutcome.NotAcquired outcome) implements RefusedLock {

        @Override
        public LockRequest request() {
            return lock.request();
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

    static Acquisition held(List<Lease> leases) {
        return new Acquisition(leases, null);
    }

    static Acquisition refused(PlannedLock lock, LockOutcome.NotAcquired outcome) {
        return new Acquisition(List.of(), new Refused(lock, outcome));
    }

    /** The outcome for these locks, with the annotation that asked for the one that was not acquired. */
    static Acquisition of(MultiLock.Outcome outcome, List<PlannedLock> locks) {
        if (outcome instanceof MultiLock.Outcome.Acquired acquired) {
            return held(acquired.leases());
        }
        MultiLock.Outcome.NotAcquired refused = (MultiLock.Outcome.NotAcquired) outcome;
        PlannedLock lock = locks.stream()
                .filter(each -> each.name().equals(refused.lockName()))
                .findFirst()
                .orElseThrow();
        return refused(lock, refused.outcome());
    }
}
