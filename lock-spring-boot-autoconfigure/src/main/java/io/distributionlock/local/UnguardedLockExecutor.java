package io.distributionlock.local;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
    private final UnguardedLeases leases = new UnguardedLeases();

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
    public Object backend() {
        return leases;
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return CompletableFuture.completedFuture(
                new LockOutcome.Acquired(leases.open(request.name(), request.kind(), owner, nextToken())));
    }

    private long nextToken() {
        long clock = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()) << LockInspection.LOCAL_TOKEN_BITS;
        return lastToken.updateAndGet(last -> Math.max(last + 1, clock));
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return leases.count(name, owner);
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
}
