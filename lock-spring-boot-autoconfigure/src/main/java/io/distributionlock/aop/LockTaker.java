package io.distributionlock.aop;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Takes all locks of a call or none. Everybody takes them in the order of their names, so no two calls wait for each other;
 * the waiting time runs from the first of them on.
 */
final class LockTaker {

    private LockTaker() {}

    /** Takes the locks for the calling thread, which waits. */
    static Taking take(List<PlannedLock> locks, LockTemplate template) {
        if (locks.size() == 1) {
            PlannedLock lock = locks.get(0);
            return taking(template.attempt(lock.request()), lock);
        }
        long start = System.nanoTime();
        List<Lease> leases = new ArrayList<>(locks.size());
        boolean complete = false;
        try {
            for (PlannedLock lock : locks) {
                LockOutcome outcome = template.attempt(withinBudget(lock.request(), start));
                if (outcome instanceof LockOutcome.NotAcquired refused) {
                    return new Taking.Refused(lock, refused);
                }
                leases.add(((LockOutcome.Acquired) outcome).lease());
            }
            complete = true;
            return new Taking.Taken(leases);
        } finally {
            if (!complete) {
                releaseAll(leases);
            }
        }
    }

    private static Taking taking(LockOutcome outcome, PlannedLock lock) {
        return outcome instanceof LockOutcome.Acquired acquired
                ? new Taking.Taken(List.of(acquired.lease()))
                : new Taking.Refused(lock, (LockOutcome.NotAcquired) outcome);
    }

    private static LockRequest withinBudget(LockRequest request, long start) {
        Duration left = request.tryLockTime().minusNanos(System.nanoTime() - start);
        return new LockRequest(
                request.name(),
                left.isNegative() ? Duration.ZERO : left,
                request.holdLockTime(),
                request.renewed(),
                request.maxHoldTime(),
                request.minHoldTime());
    }

    /**
     * Takes the locks without blocking. Cancelling the future gives up what is held and what is waited for; if that comes too
     * late, it says {@code false}.
     *
     * @param releaseExecutor where leases are given back, which may block
     */
    static CompletableFuture<Taking> takeAsync(
            List<PlannedLock> locks, LockTemplate template, LockOwner owner, Executor releaseExecutor) {
        AsyncTaking taking = new AsyncTaking(locks, template, owner, releaseExecutor);
        taking.next();
        return taking.result;
    }

    /** Gives leases back in the reverse order; one that fails does not keep the others. */
    static void releaseAll(List<Lease> leases) {
        RuntimeException failure = null;
        for (int i = leases.size() - 1; i >= 0; i--) {
            try {
                leases.get(i).release();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** One lock after the other, each when the one before is held. */
    private static final class AsyncTaking {

        private final List<PlannedLock> locks;
        private final LockTemplate template;
        private final LockOwner owner;
        private final Executor releaseExecutor;
        private final long start = System.nanoTime();
        private final List<Lease> leases = new ArrayList<>();
        private final AtomicReference<CompletableFuture<LockOutcome>> attempt = new AtomicReference<>();
        private final CompletableFuture<Taking> result = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                boolean cancelled = super.cancel(mayInterrupt);
                CompletableFuture<LockOutcome> underWay = attempt.get();
                if (cancelled && underWay != null) {
                    underWay.cancel(mayInterrupt);
                }
                return cancelled;
            }
        };

        AsyncTaking(List<PlannedLock> locks, LockTemplate template, LockOwner owner, Executor releaseExecutor) {
            this.locks = locks;
            this.template = template;
            this.owner = owner;
            this.releaseExecutor = releaseExecutor;
        }

        void next() {
            PlannedLock lock = locks.get(leases.size());
            LockRequest request = leases.isEmpty() ? lock.request() : withinBudget(lock.request(), start);
            CompletableFuture<LockOutcome> asked = template.acquireAsync(request, owner);
            attempt.set(asked);
            if (result.isCancelled()) {
                asked.cancel(true);
            }
            asked.whenComplete((outcome, failure) -> answered(lock, outcome, failure));
        }

        private void answered(PlannedLock lock, @Nullable LockOutcome outcome, @Nullable Throwable failure) {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                leases.add(acquired.lease());
                if (result.isCancelled()) {
                    giveBack();
                } else if (leases.size() < locks.size()) {
                    next();
                } else if (!result.complete(new Taking.Taken(leases))) {
                    giveBack();
                }
                return;
            }
            giveBack();
            if (outcome instanceof LockOutcome.NotAcquired refused) {
                result.complete(new Taking.Refused(lock, refused));
            } else if (failure != null) {
                result.completeExceptionally(failure);
            }
        }

        private void giveBack() {
            if (!leases.isEmpty()) {
                List<Lease> held = List.copyOf(leases);
                releaseExecutor.execute(() -> releaseAll(held));
            }
        }
    }
}
