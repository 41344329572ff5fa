package io.distributionlock;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.ImmediateListener;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Passes every call to another executor. The base class for decorators, as {@link LockTemplate.Builder#decorate} takes them:
 * override only what the decorator changes. Methods that are added to {@link LockExecutor} later are passed on too.
 *
 * <p>A decorator of leases extends {@link DelegatingLease}.
 *
 * <p>The {@link #backend()} is that of the other executor, so views from inside and outside the decorator are of one lock.
 *
 * <pre>{@code
 * final class CountingExecutor extends DelegatingLockExecutor {
 *
 *     private final AtomicLong attempts = new AtomicLong();
 *
 *     CountingExecutor(LockExecutor delegate) {
 *         super(delegate);
 *     }
 *
 *     @Override
 *     public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
 *         attempts.incrementAndGet();
 *         return super.acquire(request, owner);
 *     }
 * }
 * }</pre>
 */
public abstract class DelegatingLockExecutor implements LockExecutor {

    private final LockExecutor delegate;

    /** Passes every call to this executor. */
    protected DelegatingLockExecutor(LockExecutor delegate) {
        this.delegate = Arguments.require("the delegate of a LockExecutor", delegate);
    }

    /** The executor that calls are passed to. */
    protected final LockExecutor delegate() {
        return delegate;
    }

    @Override
    public Set<LockKind> kinds() {
        return delegate.kinds();
    }

    @Override
    public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
        return delegate.acquire(request, owner);
    }

    @Override
    public int holdCount(String name, LockOwner owner) {
        return delegate.holdCount(name, owner);
    }

    @Override
    public Object backend() {
        return delegate.backend();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return delegate.isLocked(name);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return delegate.forceRelease(name);
    }

    @Override
    public void start() {
        delegate.start();
    }

    @Override
    public void stop(Duration timeout) {
        delegate.stop(timeout);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + delegate + "]";
    }

    /**
     * Passes every call to another lease. The base class for decorators: override only what the decorator changes. A decorator that
     * changes {@link #release()}, {@link #confirm()} or {@link #extend} changes the asynchronous counterpart as well.
     *
     * <p>Listeners of {@link #onLost} receive the decorator.
     */
    public abstract static class DelegatingLease implements Lease {

        private final Lease delegate;

        /** Passes every call to this lease. */
        protected DelegatingLease(Lease delegate) {
            this.delegate = Arguments.require("the delegate of a Lease", delegate);
        }

        /** The lease that calls are passed to. */
        protected final Lease delegate() {
            return delegate;
        }

        @Override
        public String name() {
            return delegate.name();
        }

        @Override
        public LockKind kind() {
            return delegate.kind();
        }

        @Override
        public long fencingToken() {
            return delegate.fencingToken();
        }

        @Override
        public CompletableFuture<Long> fencingTokenAsync() {
            return delegate.fencingTokenAsync();
        }

        @Override
        public OptionalLong knownFencingToken() {
            return delegate.knownFencingToken();
        }

        @Override
        public boolean isValid() {
            return delegate.isValid();
        }

        @Override
        public boolean confirm() {
            return delegate.confirm();
        }

        @Override
        public CompletableFuture<Boolean> confirmAsync() {
            return delegate.confirmAsync();
        }

        @Override
        public Duration remaining() {
            return delegate.remaining();
        }

        @Override
        public boolean extend(Duration holdLockTime) {
            return delegate.extend(holdLockTime);
        }

        @Override
        public CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
            return delegate.extendAsync(holdLockTime);
        }

        @Override
        public void onLost(Consumer<? super Lease> listener) {
            Arguments.require("the listener for the loss of a lease", listener);
            ImmediateListener<Lease> immediate = lost -> listener.accept(this);
            delegate.onLost(listener instanceof ImmediateListener ? immediate : immediate::accept);
        }

        @Override
        public LossReason lossReason() {
            return delegate.lossReason();
        }

        @Override
        public void waiveMinHoldTime() {
            delegate.waiveMinHoldTime();
        }

        @Override
        public ReleaseResult release() {
            return delegate.release();
        }

        @Override
        public CompletableFuture<ReleaseResult> releaseAsync() {
            return delegate.releaseAsync();
        }

        @Override
        public void close() {
            release();
        }

        @Override
        public String toString() {
            return delegate.toString();
        }
    }
}
