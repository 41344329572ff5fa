package io.distributionlock.local;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The leases without a lock that have not been released, so that holds can be counted. */
final class UnguardedLeases {

    private final Set<UnguardedLease> open = ConcurrentHashMap.newKeySet();

    Lease open(String name, LockKind kind, LockOwner owner, long token) {
        UnguardedLease lease = new UnguardedLease(name, kind, owner, token);
        open.add(lease);
        return lease;
    }

    int count(String name, LockOwner owner) {
        return (int) open.stream()
                .filter(lease -> lease.name.equals(name) && lease.owner.equals(owner))
                .count();
    }

    /** A lease without a lock, valid until it is released. */
    private final class UnguardedLease implements Lease {

        private static final Duration FOREVER = Duration.ofDays(365);

        private final String name;
        private final LockKind kind;
        private final LockOwner owner;
        private final long token;
        private final AtomicBoolean released = new AtomicBoolean();

        UnguardedLease(String name, LockKind kind, LockOwner owner, long token) {
            this.name = name;
            this.kind = kind;
            this.owner = owner;
            this.token = token;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public LockKind kind() {
            return kind;
        }

        @Override
        public Object backend() {
            return UnguardedLeases.this;
        }

        @Override
        public long fencingToken() {
            return token;
        }

        @Override
        public boolean isValid() {
            return !released.get();
        }

        @Override
        public CompletableFuture<Boolean> confirmAsync() {
            return CompletableFuture.completedFuture(confirm());
        }

        @Override
        public Duration remaining() {
            return isValid() ? FOREVER : Duration.ZERO;
        }

        @Override
        public boolean extend(Duration holdLockTime) {
            return isValid();
        }

        @Override
        public CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
            return CompletableFuture.completedFuture(extend(holdLockTime));
        }

        /** Never lost, so the listener is never called. */
        @Override
        public void onLost(Consumer<? super Lease> listener) {}

        @Override
        public ReleaseResult release() {
            if (!released.compareAndSet(false, true)) {
                return ReleaseResult.ALREADY_RELEASED;
            }
            open.remove(this);
            return count(name, owner) > 0 ? ReleaseResult.STILL_HELD : ReleaseResult.RELEASED;
        }

        @Override
        public CompletableFuture<ReleaseResult> releaseAsync() {
            return CompletableFuture.completedFuture(release());
        }
    }
}
