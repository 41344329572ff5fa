package io.distributionlock.observe;

import io.distributionlock.HandedOver;
import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LossMark;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A lease whose end is told. */
final class ObservedLease implements Lease {

    private final Lease lease;
    private final List<LockObserver.Hold> told;
    private final AtomicBoolean ended = new AtomicBoolean();

    private ObservedLease(Lease lease, List<LockObserver.Hold> told) {
        this.lease = lease;
        this.told = told;
    }

    static ObservedLease of(Lease lease, List<LockObserver.Hold> told) {
        ObservedLease observed = new ObservedLease(lease, told);
        lease.onLost(lost -> observed.ended(LockObserver.Hold::lost));
        return observed;
    }

    private void ended(Consumer<LockObserver.Hold> end) {
        if (ended.compareAndSet(false, true)) {
            told.forEach(end);
        }
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
    public CompletableFuture<Boolean> confirmAsync() {
        return lease.confirmAsync();
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
    public CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
        return lease.extendAsync(holdLockTime);
    }

    @Override
    public void detach() {
        lease.detach();
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        LossMark own = lost -> listener.accept(this);
        lease.onLost(listener instanceof LossMark ? own : own::accept);
    }

    @Override
    public ReleaseResult release() {
        return ended(lease.release());
    }

    @Override
    public CompletableFuture<ReleaseResult> releaseAsync() {
        return HandedOver.of(HandedOver.source(lease.releaseAsync()).thenApply(this::ended));
    }

    private ReleaseResult ended(ReleaseResult result) {
        ended(result == ReleaseResult.LOST ? LockObserver.Hold::lost : LockObserver.Hold::released);
        return result;
    }

    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return lease.toString();
    }
}
