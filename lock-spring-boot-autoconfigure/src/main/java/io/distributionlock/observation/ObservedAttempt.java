package io.distributionlock.observation;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.UserFuture;
import io.distributionlock.monitor.LockObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The future of an observed attempt. Whatever ends it ends the attempt itself. */
final class ObservedAttempt extends UserFuture<LockOutcome> {

    private final CompletableFuture<LockOutcome> attempt;
    private final List<LockObserver.Attempt> observers;
    private final boolean isRetried;
    private final long start = System.nanoTime();

    private ObservedAttempt(
            LockRequest request,
            List<LockObserver.Attempt> observers,
            Supplier<CompletableFuture<LockOutcome>> acquire) {
        this.isRetried = !request.retryTime().isZero();
        this.observers = observers;
        this.attempt = begin(acquire);
    }

    static ObservedAttempt of(
            LockRequest request,
            List<LockObserver.Attempt> observers,
            Supplier<CompletableFuture<LockOutcome>> acquire) {
        ObservedAttempt observed = new ObservedAttempt(request, observers, acquire);
        observed.attempt.whenComplete(observed::ended);
        return observed;
    }

    private static CompletableFuture<LockOutcome> begin(Supplier<CompletableFuture<LockOutcome>> acquire) {
        try {
            return acquire.get();
        } catch (RuntimeException defect) {
            return CompletableFuture.failedFuture(defect);
        }
    }

    private void ended(@Nullable LockOutcome outcome, @Nullable Throwable failure) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            List<LockObserver.Hold> holds = Observers.ask(observers, each -> each.acquired(acquired.lease()));
            ObservedLease lease = ObservedLease.of(acquired.lease(), holds);
            if (!settle(new LockOutcome.Acquired(lease))) {
                // The caller has ended the future itself and will not release this lease.
                lease.releaseAsync();
            }
        } else if (outcome instanceof LockOutcome.Busy && isRetried) {
            Observers.notify(observers, LockObserver.Attempt::postponed);
            settle(outcome);
        } else if (outcome instanceof LockOutcome.NotAcquired refused) {
            Observers.notify(observers, each -> each.notAcquired(refused));
            settle(outcome);
        } else if (failure instanceof CancellationException) {
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            Observers.notify(observers, each -> each.notAcquired(new LockOutcome.Interrupted(waited)));
            fail(failure);
        } else if (failure != null) {
            Observers.notify(observers, each -> each.failed(failure));
            fail(failure);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return attempt.cancel(mayInterruptIfRunning) && (super.cancel(mayInterruptIfRunning) || isCancelled());
    }

    @Override
    protected void giveUp() {
        attempt.cancel(true);
    }
}
