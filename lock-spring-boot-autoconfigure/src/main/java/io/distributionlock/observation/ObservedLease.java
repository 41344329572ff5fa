package io.distributionlock.observation;

import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.Lease;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.OffloadedFuture;
import io.distributionlock.monitor.LockObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lease that reports its end to observers. */
final class ObservedLease extends DelegatingLease {

    private final List<LockObserver.Hold> holds;
    private final AtomicBoolean ended = new AtomicBoolean();

    private ObservedLease(Lease lease, List<LockObserver.Hold> holds) {
        super(lease);
        this.holds = holds;
    }

    static ObservedLease of(Lease lease, List<LockObserver.Hold> holds) {
        ObservedLease observed = new ObservedLease(lease, holds);
        lease.onLost(lost -> observed.end(ReleaseResult.LOST));
        return observed;
    }

    @Override
    public ReleaseResult release() {
        return end(super.release());
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseAsync() {
        return OffloadedFuture.of(OffloadedFuture.source(super.releaseAsync()).thenApply(this::end));
    }

    private ReleaseResult end(ReleaseResult result) {
        if (ended.compareAndSet(false, true)) {
            boolean lost = result == ReleaseResult.LOST;
            Observers.notify(holds, lost ? hold -> hold.lost(lossReason()) : LockObserver.Hold::released);
        }
        return result;
    }
}
