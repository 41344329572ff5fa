package io.distributionlock.aop;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The lease that a caller has passed to a locked method, as that one call holds it: everything is the caller's, but releasing it
 * ends no more than this call's interest. Thread-safe.
 */
final class PassedLease implements Lease {

    /** A caller may pass one lease to very many calls: it is listened to once, for those that run. */
    private static final Map<Lease, Set<PassedLease>> CALLS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Lease lease;
    private final List<Consumer<? super Lease>> listeners = new CopyOnWriteArrayList<>();

    private PassedLease(Lease lease) {
        this.lease = lease;
    }

    static PassedLease of(Lease given) {
        return new PassedLease(given instanceof PassedLease passed ? passed.lease : given);
    }

    @Override
    public String name() {
        return lease.name();
    }

    @Override
    public LockKind kind() {
        return lease.kind();
    }

    @Override
    public Object backend() {
        return lease.backend();
    }

    @Override
    public long fencingToken() {
        return lease.fencingToken();
    }

    @Override
    public boolean isValid() {
        return lease.isValid();
    }

    @Override
    public boolean confirm() {
        return lease.confirm();
    }

    @Override
    public Duration remaining() {
        return lease.remaining();
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        return lease.extend(holdLockTime);
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        listeners.add(listener);
        Set<PassedLease> calls = CALLS.computeIfAbsent(lease, PassedLease::listen);
        calls.add(this);
        if (!lease.isValid()) {
            lost();
        }
    }

    private static Set<PassedLease> listen(Lease lease) {
        Set<PassedLease> calls = ConcurrentHashMap.newKeySet();
        lease.onLost(lost -> calls.forEach(PassedLease::lost));
        return calls;
    }

    /** Told once to each listener, also if the caller had released the lease: this call is without its lock either way. */
    private void lost() {
        List<Consumer<? super Lease>> told = new ArrayList<>(listeners);
        told.removeIf(listener -> !listeners.remove(listener));
        told.forEach(listener -> listener.accept(this));
    }

    @Override
    public ReleaseResult release() {
        Set<PassedLease> calls = CALLS.get(lease);
        if (calls != null) {
            calls.remove(this);
        }
        return lease.isValid() ? ReleaseResult.STILL_HELD : ReleaseResult.LOST;
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
