package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockAttempts;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.failure.FallbackMethods;
import io.distributionlock.failure.RefusedLock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of acquiring all locks of a call: all are held, or none.
 *
 * @param leases one for each lock, passed or acquired, in the order of their names; empty if one was refused
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

    /**
     * The outcome for the locks that the call had to acquire, as it is now, when the method is about to run. If a lock was lost since,
     * passed ones included, the method must not begin.
     *
     * @param start when the attempt began, as of {@link System#nanoTime()}
     */
    static Acquisition of(MultiLock.Outcome outcome, LockedCall call, long start) {
        if (outcome instanceof MultiLock.Outcome.NotAcquired refused) {
            return refused(call, refused.lockName(), refused.outcome());
        }
        List<Lease> acquired = ((MultiLock.Outcome.Acquired) outcome).leases();
        List<Lease> all = call.withPassed(acquired);
        for (Lease lease : all) {
            if (!lease.isValid()) {
                LockAttempts.giveBack(acquired);
                return refused(call, lease.name(), new LockOutcome.Lost(Duration.ofNanos(System.nanoTime() - start)));
            }
        }
        return new Acquisition(all, null);
    }

    /** Names the annotation that asked for the lock. */
    private static Acquisition refused(LockedCall call, String name, LockOutcome.NotAcquired outcome) {
        PlannedLock lock = call.locks().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new Acquisition(List.of(), new Refused(lock, outcome));
    }
}
