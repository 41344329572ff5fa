package io.distributionlock.observation;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Notifies observers of the attempts, leases and forced releases of another executor. Leaves alone an attempt that no observer
 * watches.
 *
 * @hidden
 */
@Internal
public final class ObservedLockExecutor extends DelegatingLockExecutor {

    private final List<LockObserver> observers;

    /** Notifies these observers of what happens in this executor. */
    public ObservedLockExecutor(LockExecutor executor, List<? extends LockObserver> observers) {
        super(executor);
        this.observers = List.copyOf(observers);
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        List<LockObserver.Attempt> attempts = Observers.ask(observers, observer -> observer.attempt(request));
        return attempts.isEmpty()
                ? super.acquire(request, owner)
                : ObservedAttempt.of(request, attempts, () -> super.acquire(request, owner));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return super.forceRelease(name).thenApply(wasHeld -> {
            Observers.notify(observers, observer -> observer.forced(name, wasHeld));
            return wasHeld;
        });
    }
}
