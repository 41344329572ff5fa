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
    static Acquisition acquire(LockedCall call, Function<String, LockOwner> owners) {
        long start = System.nanoTime();
        return Acquisition.of(attempt(call.toAcquire(), call.executor(), owners), call, start);
    }

    private static MultiLock.Outcome attempt(
            List<PlannedLock> locks, LockExecutor executor, Function<String, LockOwner> owners) {
        if (locks.isEmpty()) {
            return new MultiLock.Outcome.Acquired(List.of());
        }
        if (locks.size() == 1) {
            PlannedLock lock = locks.get(0);
            LockOutcome outcome = LockAttempts.attempt(executor, lock.request(), owners.apply(lock.name()));
            return outcome instanceof LockOutcome.Acquired acquired
                    ? new MultiLock.Outcome.Acquired(List.of(acquired.lease()))
                    : new MultiLock.Outcome.NotAcquired(lock.name(), (LockOutcome.NotAcquired) outcome);
        }
        return LockAttempts.attemptAll(executor, requests(locks), owners);
    }

    /**
     * Begins to acquire the locks, each for its owner. Cancelling the future releases what is held and gives up what is waited
     * for; if it comes too late, {@code cancel} returns {@code false}.
     */
    static CompletableFuture<MultiLock.Outcome> acquireAsync(LockedCall call, Function<String, LockOwner> owners) {
        if (call.toAcquire().isEmpty()) {
            return CompletableFuture.completedFuture(new MultiLock.Outcome.Acquired(List.of()));
        }
        return LockAttempts.attemptAllAsync(call.executor(), requests(call.toAcquire()), owners);
    }

    private static List<LockRequest> requests(List<PlannedLock> locks) {
        return locks.stream().map(PlannedLock::request).toList();
    }
}
