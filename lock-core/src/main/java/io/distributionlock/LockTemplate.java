package io.distributionlock;

import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.OffloadedFuture;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The programmatic entry point: blocking and asynchronous calls on top of a {@link LockExecutor}. Thread-safe; a thread that holds
 * a lock can re-enter it.
 *
 * <p>Requests use the {@link LockDefaults} unless they say otherwise. No work runs without its lock: if the lock is not acquired,
 * the method throws or says so in its result.
 */
public class LockTemplate {

    static final Provider PROVIDER = ServiceLoader.load(Provider.class, LockTemplate.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("The library is incomplete: META-INF/services has no "
                    + Provider.class.getName() + ". Merge such files when you pack several jars into one."));

    private final LockExecutor executor;
    private final LockDefaults defaults;
    private final Provider provider;

    /** A template over this executor, with these defaults and without transactions. */
    public LockTemplate(LockExecutor executor, LockDefaults defaults) {
        this(executor, defaults, PROVIDER);
    }

    private LockTemplate(LockExecutor executor, LockDefaults defaults, Provider provider) {
        this.executor = Arguments.require("the executor of a LockTemplate", executor);
        this.defaults = Arguments.require("the defaults of a LockTemplate", defaults);
        this.provider = provider;
    }

    /** The executor that this template acquires its locks through, decorators included. */
    public LockExecutor executor() {
        return executor;
    }

    Provider provider() {
        return provider;
    }

    LockDefaults defaults() {
        return defaults;
    }

    /** Builds a template over this executor. */
    public static Builder builder(LockExecutor executor) {
        return new Builder(executor);
    }

    /** A request for a name, with this template's defaults. */
    public LockRequest.Builder request(String name) {
        return LockRequest.named(name, defaults);
    }

    /**
     * Work that may throw checked exceptions, which the caller of {@link #call} declares or handles.
     *
     * @param <T> what it returns
     * @param <E> what it throws; the compiler infers it from a lambda
     */
    @FunctionalInterface
    public interface CheckedWork<T, E extends Exception> {

        /** Does the work. */
        @Nullable
        T run() throws E;
    }

    /**
     * What became of work that runs unless its lock is busy.
     *
     * @param ran whether it ran; {@code false} if the lock was busy
     * @param result what it returned, which may be {@code null}; {@code null} if it did not run
     */
    public record Execution<T>(boolean ran, @Nullable T result) {}

    /** Runs the work while holding the lock of this name. The same as {@link #execute(LockRequest, Supplier)}. */
    public <T> T execute(String name, Supplier<T> work) {
        return execute(request(name).build(), work);
    }

    /**
     * Runs the work while holding the lock, and returns its result. Exceptions of the work are rethrown unchanged.
     *
     * <p>Inside a Spring transaction the lock is released when the transaction ends. A lost lease rolls back this transaction, and
     * one that begins inside the work. A lease that is lost before the work has ended is reported, and handled further as the
     * request says ({@link LockRequest#onLost()}).
     *
     * @throws LockNotAcquiredException if the lock was not acquired; its subclasses say why. The work did not run
     * @throws LockLostException if the lease was lost and the request says {@link OnLost#THROW}
     */
    public <T> T execute(LockRequest request, Supplier<T> work) {
        Arguments.require("the work of LockTemplate.execute", work);
        return run("execute", request, work::get);
    }

    /** As {@link #execute(String, Supplier)}, for work without a result. */
    public void executeWithoutResult(String name, Runnable work) {
        executeWithoutResult(request(name).build(), work);
    }

    /** As {@link #execute(LockRequest, Supplier)}, for work without a result. */
    public void executeWithoutResult(LockRequest request, Runnable work) {
        Arguments.require("the work of LockTemplate.executeWithoutResult", work);
        run("execute", request, withoutResult(work));
    }

    /** As {@link #execute(LockRequest, Supplier)}, for work that throws checked exceptions. */
    public <T, E extends Exception> T call(LockRequest request, CheckedWork<T, E> work) throws E {
        Arguments.require("the work of LockTemplate.call", work);
        return run("call", request, work);
    }

    @SuppressWarnings("NullAway") // null is what the work returned
    private <T, E extends Exception> T run(String method, LockRequest request, CheckedWork<T, E> work) throws E {
        return run(method, request, false, work).result();
    }

    private <T, E extends Exception> Execution<T> run(
            String method, LockRequest request, boolean unlessBusy, CheckedWork<T, E> work) throws E {
        Arguments.require("the request of LockTemplate." + method, request);
        return provider.run("LockTemplate." + method, executor, request, unlessBusy, work);
    }

    static CheckedWork<Void, RuntimeException> withoutResult(Runnable work) {
        return () -> {
            work.run();
            return null;
        };
    }

    /**
     * Runs the work while holding the lock, unless another holder keeps it for the whole waiting time. Otherwise as
     * {@link #execute(LockRequest, Supplier)}.
     *
     * @throws LockInterruptedException if the thread was interrupted while it waited; its flag is set again
     * @throws LockBackendException if the backend failed
     * @throws LockLostException if the lease was lost and the request says {@link OnLost#THROW}
     */
    public <T> Execution<T> tryExecute(LockRequest request, Supplier<T> work) {
        Arguments.require("the work of LockTemplate.tryExecute", work);
        return run("tryExecute", request, true, work::get);
    }

    /**
     * As {@link #tryExecute(LockRequest, Supplier)}, for work without a result.
     *
     * @return whether the work ran; {@code false} if the lock was busy
     */
    public boolean tryExecuteWithoutResult(LockRequest request, Runnable work) {
        Arguments.require("the work of LockTemplate.tryExecuteWithoutResult", work);
        return run("tryExecute", request, true, withoutResult(work)).ran();
    }

    /** As {@link #tryExecute(LockRequest, Supplier)}, for work that throws checked exceptions. */
    public <T, E extends Exception> Execution<T> tryCall(LockRequest request, CheckedWork<T, E> work) throws E {
        Arguments.require("the work of LockTemplate.tryCall", work);
        return run("tryCall", request, true, work);
    }

    /** Acquires the lock of this name. The same as {@link #acquire(LockRequest)}. */
    public Lease acquire(String name) {
        return acquire(request(name).build());
    }

    /**
     * Acquires the lock, to be released by {@link Lease#close()}; made for try-with-resources. The lock is released there even
     * inside a transaction: put the {@code try} around the transaction, or use {@link #execute}.
     *
     * @throws LockNotAcquiredException if the lock was not acquired; its subclasses say why
     */
    public Lease acquire(LockRequest request) {
        return leaseOf(request, attempt(request));
    }

    private static Lease leaseOf(LockRequest request, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return acquired.lease();
        }
        throw LockNotAcquiredException.of(request, (LockOutcome.NotAcquired) outcome);
    }

    /**
     * Acquires the lock, unless another holder keeps it for the whole waiting time.
     *
     * @throws LockInterruptedException if the thread was interrupted while it waited; its flag is set again
     * @throws LockBackendException if the backend failed
     */
    public Optional<Lease> tryAcquire(LockRequest request) {
        return unlessBusy(request, attempt(request));
    }

    private static Optional<Lease> unlessBusy(LockRequest request, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return Optional.of(acquired.lease());
        }
        LockOutcome.NotAcquired refused = (LockOutcome.NotAcquired) outcome;
        if (refused.reason() == LockFailureReason.BUSY) {
            return Optional.empty();
        }
        throw LockNotAcquiredException.of(request, refused);
    }

    /**
     * Attempts to acquire the lock, and returns the outcome as a value. Blocks for at most the request's waiting time, and for a
     * single attempt at most for the command timeout. If the thread is interrupted, the outcome is
     * {@link LockOutcome.Interrupted} and the thread's flag is set again.
     *
     * @throws IllegalStateException if it would have to wait on an event loop, as for every blocking call of this class; use
     *     {@link #acquireAsync(LockRequest)} there
     */
    public LockOutcome attempt(LockRequest request) {
        return attempt(request, LockOwner.currentThread());
    }

    /** As {@link #attempt(LockRequest)}, for an owner that may already hold the lock. */
    public LockOutcome attempt(LockRequest request, LockOwner owner) {
        defaults.requireGuardOfLease(request);
        return provider.attempt(executor, request, owner);
    }

    /**
     * Acquires the lock without blocking. Each call has a unique owner and never re-enters a lock; use
     * {@link #acquireAsync(LockRequest, LockOwner)} for that.
     *
     * <p>However the future ends, be it by {@code cancel}, {@code orTimeout} or {@code complete}, its attempt ends. It also ends when all
     * stages of the future have been ended in such a way, because the JDK would not call them any more; a {@code copy()} does not count.
     *
     * <p>Stages run on threads of their own, which they may block for good, or on the calling thread if the outcome is already known.
     */
    public CompletableFuture<LockOutcome> acquireAsync(LockRequest request) {
        return acquireAsync(request, LockOwner.unique());
    }

    /** As {@link #acquireAsync(LockRequest)}, for an owner that may already hold the lock. */
    public CompletableFuture<LockOutcome> acquireAsync(LockRequest request, LockOwner owner) {
        Arguments.require("the request for a lock", request);
        Arguments.require("the owner of a lock", owner);
        defaults.requireGuardOfLease(request);
        return provider.attemptAsync(executor, request, owner);
    }

    /**
     * Releases a lock by force, whichever process holds it. For operations: the holder loses its lease, and its work continues
     * without the lock. The future returns whether the lock was held; it completes exceptionally with a
     * {@link LockBackendException} if the backend fails.
     *
     * @throws IllegalArgumentException if no lock can have this name
     */
    public CompletableFuture<Boolean> forceRelease(String name) {
        LockRequest.requireName(name);
        return OffloadedFuture.of(executor.forceRelease(name));
    }

    /** The kinds of locks that can be requested. */
    public Set<LockKind> kinds() {
        return executor.kinds();
    }

    /**
     * The number of valid leases of this lock that the owner holds in this process, however it acquired them; costs no command.
     */
    public int holdCount(String name, LockOwner owner) {
        return executor.holdCount(name, owner);
    }

    /** The lock of this name as a {@link java.util.concurrent.locks.Lock}. All views of one name and executor are the same lock. */
    public DistributedLock lock(String name) {
        return lock(name, LockKind.REENTRANT);
    }

    /**
     * A view of the lock of this name, for locking with this kind.
     *
     * @throws IllegalArgumentException if the executor does not support this kind, or no lock can have this name
     */
    public DistributedLock lock(String name, LockKind kind) {
        LockRequest.requireName(name);
        Arguments.require("the kind of lock '" + MessageText.of(name) + "'", kind);
        if (kind == LockKind.PERMIT) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name)
                    + "' cannot be acquired as PERMIT without a number. Use LockTemplate.permits.");
        }
        return provider.view(this, name, kind, 0);
    }

    /**
     * The permits of this name as a {@link java.util.concurrent.locks.Lock}: {@code lock} waits for one of them, {@code unlock} gives it
     * back. A thread that holds one locks again by the same one. {@link DistributedLock#isLocked()} says whether anybody holds one.
     *
     * @param permits how many owners, of all processes, may hold one at once; at least 1. Where processes disagree, each attempt counts by
     *     its own number, and no permit is taken away
     * @throws IllegalArgumentException if the executor has no {@link LockKind#PERMIT}, or no name or number can be like this
     */
    public DistributedLock permits(String name, int permits) {
        LockRequest request = request(name).permits(permits).build();
        return provider.view(this, name, LockKind.PERMIT, request.permits());
    }

    /**
     * A view of the lock of this name for readers and writers. A thread that holds the write lock can acquire the read lock as well,
     * and keeps it when it unlocks the write lock. For a thread that holds only the read lock, locking the write lock throws a
     * {@link LockUpgradeException}, and trying to lock it returns {@code false}.
     *
     * @throws IllegalArgumentException if the executor does not support these kinds
     */
    public DistributedReadWriteLock readWriteLock(String name) {
        return new DistributedReadWriteLock(lock(name, LockKind.READ), lock(name, LockKind.WRITE));
    }

    /** Builds a {@link LockTemplate}. Not thread-safe. */
    public static final class Builder {

        private LockExecutor executor;
        private LockDefaults defaults = LockDefaults.STANDARD;
        private Provider provider = PROVIDER;

        private Builder(LockExecutor executor) {
            this.executor = executor;
        }

        /** Sets the defaults of requests; {@link LockDefaults#STANDARD} if not set. */
        public Builder defaults(LockDefaults defaults) {
            this.defaults = defaults;
            return this;
        }

        /** Wraps the current executor in a decorator; later decorators wrap earlier ones. See {@link DelegatingLockExecutor}. */
        public Builder decorate(UnaryOperator<LockExecutor> decorator) {
            this.executor = decorator.apply(executor);
            return this;
        }

        /** Builds the template. */
        public LockTemplate build() {
            return new LockTemplate(executor, defaults, provider);
        }
    }

    /**
     * Does what templates, their {@link MultiLock}s and {@link LockContext} offer. There is one, in this library; {@link ServiceLoader}
     * finds it. An interface, so that the API does not depend on what is behind it.
     *
     * @hidden
     */
    @Internal
    public interface Provider {

        /** Has this provider work for the template, instead of the one that was found. */
        default Builder applyTo(Builder template) {
            template.provider = this;
            return template;
        }

        /** Acquires one lock; the calling thread waits. */
        LockOutcome attempt(LockExecutor executor, LockRequest request, LockOwner owner);

        /** As {@link #attempt}, without blocking. */
        CompletableFuture<LockOutcome> attemptAsync(LockExecutor executor, LockRequest request, LockOwner owner);

        /** Acquires all locks or none; the calling thread waits. The requests are sorted by name, one for each. */
        MultiLock.Outcome attemptAll(LockExecutor executor, List<LockRequest> requests, LockOwner owner);

        /** As {@link #attemptAll}, without blocking. */
        CompletableFuture<MultiLock.Outcome> attemptAllAsync(
                LockExecutor executor, List<LockRequest> requests, LockOwner owner);

        /**
         * Runs work under one lock.
         *
         * @param method what the work is called in messages
         * @param unlessBusy whether a busy lock is a result rather than an exception
         */
        <T, E extends Exception> Execution<T> run(
                String method, LockExecutor executor, LockRequest request, boolean unlessBusy, CheckedWork<T, E> work)
                throws E;

        /** As {@link #run}, under several locks. */
        <T, E extends Exception> Execution<T> runAll(
                String method,
                LockExecutor executor,
                List<LockRequest> requests,
                boolean unlessBusy,
                CheckedWork<T, E> work)
                throws E;

        /** A view of a lock, or of so many permits; the executor may not support the kind. */
        DistributedLock view(LockTemplate template, String name, LockKind kind, int permits);

        /** The leases of the innermost work of the calling thread; none outside of any. */
        List<Lease> leasesOfThread();
    }
}
