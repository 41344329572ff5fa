package io.distributionlock.interceptor;

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
final class LockAcquirer {

    private LockAcquirer() {}

    /** Acquires the locks, each for its owner; the calling thread waits. */
    static Acquisition acquire(List<PlannedLock> locks, LockExecutor executor, Function<String, LockOwner> owners) {
        if (locks.isEmpty()) {
            return Acquisition.held(List.of());
        }
        if (locks.size() == 1) {
            PlannedLock lock = locks.get(0);
            LockOutcome outcome = LockAttempts.attempt(executor, lock.request(), owners.apply(lock.name()));
            return outcome instanceof LockOutcome.Acquired acquired
                    ? Acquisition.held(List.of(acquired.lease()))
                    : Acquisition.refused(lock, (LockOutcome.NotAcquired) outcome);
        }
        return Acquisition.of(LockAttempts.attemptAll(executor, requests(locks), owners), locks);
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
