package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.hold.LockAttempts;
import io.distributionlock.interceptor.LockInvocationContext.LockAttempt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of acquiring all locks of a call: all are held, or none.
 *
 * @param leases one for each lock, in the order of their names; empty if one was refused
 * @param refused the lock that was not acquired, or {@code null} if all are held
 */
record AttemptResult(List<Lease> leases, @Nullable Failed refused) {

    /** A lock that was not acquired, and why. */
    record Failed(LockAttempt lock, LockOutcome.NotAcquired outcome) {

        DistributionLock annotation() {
            return lock.operation().declaration().annotation();
        }
    }

    /** Acquires the locks, each for its owner; the calling thread waits. */
    static AttemptResult acquire(LockInvocationContext call, Function<String, LockOwner> owners) {
        long start = System.nanoTime();
        return of(attempt(call.locks(), call.template().executor(), owners), call, start);
    }

    private static MultiLock.Outcome attempt(
            List<LockAttempt> locks, LockExecutor executor, Function<String, LockOwner> owners) {
        if (locks.size() == 1) {
            LockAttempt lock = locks.get(0);
            LockOutcome outcome = LockAttempts.attempt(executor, lock.request(), owners.apply(lock.name()));
            return outcome instanceof LockOutcome.Acquired acquired
                    ? new MultiLock.Outcome.Acquired(List.of(acquired.lease()))
                    : new MultiLock.Outcome.NotAcquired(lock.request(), (LockOutcome.NotAcquired) outcome);
        }
        return LockAttempts.attemptAll(executor, LockAttempt.requests(locks), owners);
    }

    /**
     * Begins to acquire them. Cancelling the future releases what is held and gives up what is waited for; if it comes too late,
     * {@code cancel} returns {@code false}.
     */
    static CompletableFuture<MultiLock.Outcome> acquireAsync(
            LockInvocationContext call, Function<String, LockOwner> owners) {
        return LockAttempts.attemptAllAsync(call.template().executor(), LockAttempt.requests(call.locks()), owners);
    }

    /**
     * The outcome as it is now, when the method is about to run. If a lock was lost since, the method must not begin.
     *
     * @param start when the attempt began, as of {@link System#nanoTime()}
     */
    static AttemptResult of(MultiLock.Outcome outcome, LockInvocationContext call, long start) {
        if (outcome instanceof MultiLock.Outcome.NotAcquired refused) {
            return refused(call, refused.lockName(), refused.outcome());
        }
        List<Lease> leases = ((MultiLock.Outcome.Acquired) outcome).leases();
        for (Lease lease : leases) {
            if (!lease.isValid()) {
                LockAttempts.giveBack(leases);
                return refused(call, lease.name(), new LockOutcome.Lost(Duration.ofNanos(System.nanoTime() - start)));
            }
        }
        return new AttemptResult(leases, null);
    }

    /** Names the annotation that asked for the lock. */
    private static AttemptResult refused(LockInvocationContext call, String name, LockOutcome.NotAcquired outcome) {
        LockAttempt lock = call.locks().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new AttemptResult(List.of(), new Failed(lock, outcome));
    }
}
