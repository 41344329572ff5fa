package io.distributionlock.docs.jdbc;

import io.distributionlock.Lease;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** A hold. The worker of the executor changes it; any thread may ask it. */
final class TableLease implements Lease {

    private static final Log log = LogFactory.getLog(TableLease.class);

    private static final Duration MAX_HOLD = Duration.ofDays(365);

    private final TableLockExecutor executor;
    private final Ownership ownership;
    private final LockRequest request;
    private final long start = System.nanoTime();
    private volatile boolean released;
    private volatile boolean waived;

    private final List<Consumer<? super Lease>> lossListeners = new ArrayList<>();
    private boolean lost;

    TableLease(TableLockExecutor executor, Ownership ownership, LockRequest request) {
        this.executor = executor;
        this.ownership = ownership;
        this.request = request;
    }

    Ownership ownership() {
        return ownership;
    }

    LockRequest request() {
        return request;
    }

    boolean isPastMaximum() {
        Duration maximum = request.maxHoldTime();
        return maximum != null && System.nanoTime() - start >= maximum.toNanos();
    }

    /** Returns false if it was released before. */
    boolean markReleased() {
        boolean first = !released;
        released = true;
        return first;
    }

    @Override
    public String name() {
        return request.name();
    }

    @Override
    public long fencingToken() {
        return ownership.token();
    }

    @Override
    public boolean isValid() {
        return !released && ownership.isValid();
    }

    @Override
    public boolean confirm() {
        return isValid() && answer(() -> executor.confirm(ownership), false);
    }

    @Override
    public Duration remaining() {
        long left = ownership.until() - System.nanoTime();
        return isValid() && left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        if (holdLockTime.toMillis() < 1 || holdLockTime.compareTo(MAX_HOLD) > 0) {
            throw new IllegalArgumentException("A lock is held for at least 1 ms and at most 365 days.");
        }
        return answer(() -> isValid() && executor.extend(ownership, holdLockTime), false);
    }

    @Override
    public void waiveMinHoldTime() {
        waived = true;
    }

    /** When its minimum hold time is over. */
    long minimum() {
        return waived ? start : start + request.minHoldTime().toNanos();
    }

    @Override
    public ReleaseResult release() {
        return answer(() -> executor.release(this), ReleaseResult.UNCONFIRMED);
    }

    /** {@code join} neither ends with an interrupt nor clears the flag of the thread. */
    private <T> T answer(Supplier<T> work, T otherwise) {
        CompletableFuture<T> answer = executor.onWorker(work);
        return answer.exceptionally(failure -> otherwise).join();
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {
        synchronized (lossListeners) {
            if (!lost) {
                lossListeners.add(listener);
                return;
            }
        }
        notify(listener);
    }

    void lose() {
        List<Consumer<? super Lease>> interested;
        synchronized (lossListeners) {
            lost = true;
            interested = List.copyOf(lossListeners);
            lossListeners.clear();
        }
        interested.forEach(this::notify);
    }

    /** On a thread of the JDK's pool: a listener may block, and the worker must not. */
    private void notify(Consumer<? super Lease> listener) {
        CompletableFuture.runAsync(() -> listener.accept(this)).exceptionally(failure -> {
            log.warn("A listener failed when it was notified that lock '" + name() + "' was lost", failure);
            return null;
        });
    }
}
