package io.distributionlock.interceptor;

import io.distributionlock.DelegatingLease;
import io.distributionlock.Lease;
import io.distributionlock.ReleaseResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The lease that a caller has passed to a locked method, as that one call holds it. Releasing it ends only this call's interest;
 * the lock stays the caller's. Thread-safe.
 */
final class PassedLease extends DelegatingLease {

    /** A caller may pass one lease to very many calls: one listener serves all that run. */
    private static final Map<Lease, Set<PassedLease>> CALLS = Collections.synchronizedMap(new WeakHashMap<>());

    private final List<Consumer<? super Lease>> listeners = new CopyOnWriteArrayList<>();

    private PassedLease(Lease lease) {
        super(lease);
    }

    static PassedLease of(Lease given) {
        return new PassedLease(given instanceof PassedLease passed ? passed.delegate() : given);
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        listeners.add(listener);
        Set<PassedLease> calls = CALLS.computeIfAbsent(delegate(), PassedLease::listen);
        calls.add(this);
        if (!isValid()) {
            lost();
        }
    }

    private static Set<PassedLease> listen(Lease lease) {
        Set<PassedLease> calls = ConcurrentHashMap.newKeySet();
        lease.onLost(lost -> calls.forEach(PassedLease::lost));
        return calls;
    }

    /** Notifies each listener once, even if the caller released the lease: this call is without its lock either way. */
    private void lost() {
        List<Consumer<? super Lease>> due = new ArrayList<>(listeners);
        due.removeIf(listener -> !listeners.remove(listener));
        due.forEach(listener -> listener.accept(this));
    }

    @Override
    public ReleaseResult release() {
        Set<PassedLease> calls = CALLS.get(delegate());
        if (calls != null) {
            calls.remove(this);
        }
        return isValid() ? ReleaseResult.STILL_HELD : ReleaseResult.LOST;
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseAsync() {
        return CompletableFuture.completedFuture(release());
    }

    /** The lease stays the caller's. */
    @Override
    public void detach() {}

    @Override
    public void waiveMinHoldTime() {}
}
