package io.distributionlock;

import io.distributionlock.internal.Arguments;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Passes every call to another executor. The base class for decorators, as {@link LockTemplate.Builder#decorate} takes them:
 * override only what the decorator changes. Methods that are added to {@link LockExecutor} later are passed on too.
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
}
