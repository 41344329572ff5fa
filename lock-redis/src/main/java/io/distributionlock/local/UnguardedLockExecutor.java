package io.distributionlock.local;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Grants every lock to every caller at once. The kill switch puts it in the place of the real executor: the application continues
 * without mutual exclusion.
 *
 * <p>Fencing tokens come from the clock of this machine, in the range of those from Redis, so that a guarded resource accepts them, and
 * accepts the real ones once locks are enabled again.
 *
 * @hidden
 */
@Internal
public final class UnguardedLockExecutor implements LockExecutor {

    private static final Log log = LogFactory.getLog(UnguardedLockExecutor.class);

    private final AtomicLong lastToken = new AtomicLong();

    /** The leases that have not been released, so that holds can be counted. */
    private final Set<UnguardedLease> open = ConcurrentHashMap.newKeySet();

    public UnguardedLockExecutor() {
        log.warn(
                "NOTHING IS LOCKED: distribution-lock.enabled is false. Every lock is granted to every caller at once, and"
                        + " methods with @DistributionLock run without mutual exclusion. Remove the property to lock again.");
    }

    @Override
    public Set<LockKind> kinds() {
        return EnumSet.allOf(LockKind.class);
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        UnguardedLease lease = new UnguardedLease(this, request.name(), request.kind(), owner, nextToken());
        open.add(lease);
        return CompletableFuture.completedFuture(new LockOutcome.Acquired(lease));
    }

    private long nextToken() {
        long clock = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) << LockInspection.LOCAL_TOKEN_BITS;
        return lastToken.updateAndGet(last -> Math.max(last + 1, clock));
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return (int) open.stream()
                .filter(lease -> lease.name.equals(name) && lease.owner.equals(owner))
                .count();
    }

    /** Nothing is ever locked. */
    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return CompletableFuture.completedFuture(false);
    }

    /** A lease without a lock, valid until it is released. */
    private record UnguardedLease(
            UnguardedLockExecutor executor, String name, LockKind kind, LockOwner owner, long fencingToken)
            implements Lease {

        private static final Duration FOREVER = Duration.ofDays(365);

        @Override
        public boolean isValid() {
            return executor.open.contains(this);
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
            if (!executor.open.remove(this)) {
                return ReleaseResult.ALREADY_RELEASED;
            }
            return executor.holdCount(name, owner) > 0 ? ReleaseResult.STILL_HELD : ReleaseResult.RELEASED;
        }

        @Override
        public CompletableFuture<ReleaseResult> releaseAsync() {
            return CompletableFuture.completedFuture(release());
        }
    }
}
