package io.distributionlock.aop;

import io.distributionlock.LockAttempts;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.MultiLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Acquires all locks of a call or none. Reports no lost lease: {@link io.distributionlock.HeldLocks} does, with the call. */
final class LockTaker {

    private LockTaker() {}

    /** Acquires the locks for this owner; the calling thread waits. */
    static Taking acquire(List<PlannedLock> locks, LockExecutor executor, LockOwner owner) {
        if (locks.isEmpty()) {
            return Taking.held(List.of());
        }
        if (locks.size() == 1) {
            PlannedLock lock = locks.get(0);
            LockOutcome outcome = LockAttempts.attempt(executor, lock.request(), owner);
            return outcome instanceof LockOutcome.Acquired acquired
                    ? Taking.held(List.of(acquired.lease()))
                    : Taking.refused(lock, (LockOutcome.NotAcquired) outcome);
        }
        return Taking.of(LockAttempts.attemptAll(executor, requests(locks), owner), locks);
    }

    /**
     * Begins to acquire the locks, each for its owner. Cancelling the future releases what is held and gives up what is waited
     * for; if it comes too late, {@code cancel} returns {@code false}.
     */
    static CompletableFuture<MultiLock.Outcome> acquireAsync(
            List<PlannedLock> locks, LockExecutor executor, Function<String, LockOwner> owners) {
        if (locks.isEmpty()) {
            return CompletableFuture.completedFuture(new MultiLock.Outcome.Acquired(List.of()));
        }
        return LockAttempts.attemptAllAsync(executor, requests(locks), owners);
    }

    private static List<LockRequest> requests(List<PlannedLock> locks) {
        return locks.stream().map(PlannedLock::request).toList();
    }
}
