package io.distributionlock.observe;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Tells observers of what happens in another executor. What nobody wants to be told of passes as if this were not there. */
public final class ObservedLockExecutor implements LockExecutor {

    private final LockExecutor executor;
    private final List<LockObserver> observers;

    /** @param observers who is told */
    public ObservedLockExecutor(LockExecutor executor, List<? extends LockObserver> observers) {
        this.executor = executor;
        this.observers = observers.stream().map(CarefulObserver::of).toList();
    }

    @Override
    public Set<LockKind> kinds() {
        return executor.kinds();
    }

    @Override
    public Object backend() {
        return executor.backend();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        List<LockObserver.Attempt> told = List.of();
        for (LockObserver observer : observers) {
            if (observer.isActive()) {
                told = told.isEmpty() ? new ArrayList<>(observers.size()) : told;
                told.add(observer.attempt(request));
            }
        }
        return told.isEmpty()
                ? executor.acquire(request, owner)
                : ObservedAttempt.of(told, () -> executor.acquire(request, owner));
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return executor.holdCount(name, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner, LockKind kind) {
        return executor.holdCount(name, owner, kind);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return executor.isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return executor.forceRelease(name).thenApply(wasHeld -> {
            observers.forEach(observer -> observer.forced(name, wasHeld));
            return wasHeld;
        });
    }

    @Override
    public void start() {
        executor.start();
    }

    @Override
    public void stop(Duration timeout) {
        executor.stop(timeout);
    }
}
