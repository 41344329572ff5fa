package io.distributionlock;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The programmatic entry to locks, with blocking calls on top of a {@link LockExecutor}. Thread-safe; a thread that holds a
 * lock gets it again.
 *
 * <p>What a method does not say comes from the {@link LockDefaults}. Nothing runs without its lock: when the lock is not got,
 * the method throws or returns empty, as it says.
 */
public class LockTemplate {

    private static final LockSurroundings.Work EXECUTE = () -> "LockTemplate.execute";
    private static final LockSurroundings.Work TRY_EXECUTE = () -> "LockTemplate.tryExecute";

    private final LockExecutor executor;
    private final LockDefaults defaults;
    private final LockSurroundings scope;
    /** One for all leases, of which there may be very many. */
    private final Consumer<Lease> reportLoss;

    /** Locks by this executor, with these defaults; knows nothing of transactions. */
    public LockTemplate(LockExecutor executor, LockDefaults defaults) {
        this(executor, defaults, LockSurroundings.NONE);
    }

    /**
     * Locks by this executor, with these defaults.
     *
     * @param scope what {@code execute} and {@code tryExecute} respect besides the work itself, such as transactions
     */
    public LockTemplate(LockExecutor executor, LockDefaults defaults, LockSurroundings scope) {
        this.executor = Arguments.require("the executor of a LockTemplate", executor);
        this.defaults = Arguments.require("the defaults of a LockTemplate", defaults);
        this.scope = Arguments.require("the scope of a LockTemplate", scope);
        this.reportLoss = scope::lost;
    }

    /** The executor that this template acquires its locks through, decorators included. */
    public LockExecutor executor() {
        return executor;
    }

    LockSurroundings scope() {
        return scope;
    }

    /** Starts a template that locks by this executor. */
    public static Builder builder(LockExecutor executor) {
        return new Builder(executor);
    }

    /** Starts a request for a name with this template's defaults. */
    public LockRequest.Builder request(String name) {
        return LockRequest.named(name, defaults);
    }

    /** Runs the work while holding the lock of this name. The same as {@link #execute(LockRequest, Supplier)}. */
    public <T> T execute(String name, Supplier<T> work) {
        return execute(request(name).build(), work);
    }

    /**
     * Runs the work while holding the lock, and returns its result. What the work throws passes through as it is.
     *
     * <p>Inside a transaction of Spring the lock is given back when that has ended, and a lost one rolls it back; a transaction
     * that begins inside the work is rolled back likewise. A lease that is lost before the work has ended is reported, and more
     * if the request says so ({@link LockRequest#onLost()}).
     *
     * @throws LockNotAcquiredException if the lock was not got, or one of its subclasses that says why; the work did not run
     * @throws LockLostException if the lease was lost and the request says {@link OnLost#THROW}
     */
    @SuppressWarnings("NullAway") // null is what the work has returned
    public <T> T execute(LockRequest request, Supplier<T> work) {
        Arguments.require("the request of LockTemplate.execute", request);
        Arguments.require("the work of LockTemplate.execute", work);
        LockSurroundings.EnclosingTransaction transaction = scope.enclosingTransaction(EXECUTE);
        Lease lease = leaseOf(request, LockAttempts.attempt(executor, request, LockOwner.currentThread()));
        return held(EXECUTE, request, lease).runAndRelease(transaction, work::get);
    }

    private HeldLocks held(LockSurroundings.Work work, LockRequest request, Lease lease) {
        return new HeldLocks(work, List.of(request), List.of(lease), scope);
    }

    /**
     * Runs the work while holding the lock, unless another holds it for the whole waiting time. Otherwise the same as
     * {@link #execute(LockRequest, Supplier)}.
     *
     * @return the result, empty if it is {@code null} or if the lock was busy and the work did not run
     * @throws LockInterruptedException if the thread was interrupted while it waited; its flag is set again
     * @throws LockBackendException if the backend failed
     * @throws LockLostException if the lease was lost and the request says {@link OnLost#THROW}
     * @throws Exception what the work throws
     */
    public <T> Optional<T> tryExecute(LockRequest request, Callable<T> work) throws Exception {
        Arguments.require("the request of LockTemplate.tryExecute", request);
        Arguments.require("the work of LockTemplate.tryExecute", work);
        LockSurroundings.EnclosingTransaction transaction = scope.enclosingTransaction(TRY_EXECUTE);
        Optional<Lease> acquired = unlessBusy(request, LockAttempts.attempt(executor, request, LockOwner.currentThread()));
        if (acquired.isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(held(TRY_EXECUTE, request, acquired.get()).runAndRelease(transaction, work::call));
    }

    /** Takes the lock of this name. The same as {@link #acquire(LockRequest)}. */
    public Lease acquire(String name) {
        return acquire(request(name).build());
    }

    /**
     * Takes the lock, to be released by {@link Lease#close()}; made for try-with-resources. It is given back there, whatever
     * transaction that stands in: put the {@code try} around the transaction, or use {@link #execute}.
     *
     * @throws LockNotAcquiredException if the lock was not got, or one of its subclasses that says why
     */
    public Lease acquire(LockRequest request) {
        return leaseOf(request, attempt(request));
    }

    private static Lease leaseOf(LockRequest request, LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return acquired.lease();
        }
        throw LockNotAcquiredException.of(request.name(), (LockOutcome.NotAcquired) outcome);
    }

    /**
     * Takes the lock, unless another holds it for the whole waiting time.
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
        if (outcome instanceof LockOutcome.Busy) {
            return Optional.empty();
        }
        throw LockNotAcquiredException.of(request.name(), (LockOutcome.NotAcquired) outcome);
    }

    /**
     * Takes the lock and says as a value how that ended. Blocks for at most the request's waiting time, and for a single
     * attempt at most for the command timeout. If the thread is interrupted, the outcome is
     * {@link LockOutcome.Interrupted} and the thread's flag is set again.
     *
     * @throws IllegalStateException if it would have to wait on an event loop, as would every blocking call of this class; use
     *     {@link #acquireAsync(LockRequest)} there
     */
    public LockOutcome attempt(LockRequest request) {
        return attempt(request, LockOwner.currentThread());
    }

    /** The same as {@link #attempt(LockRequest)}, for an owner that may hold the lock already. */
    public LockOutcome attempt(LockRequest request, LockOwner owner) {
        LockOutcome outcome = LockAttempts.attempt(executor, request, owner);
        reportLossIfAcquired(outcome);
        return outcome;
    }

    /**
     * Takes the lock without blocking. Cancelling the future gives the attempt up. Each call has an owner of its own, so it
     * never counts as re-entry; use {@link #acquireAsync(LockRequest, LockOwner)} for that. What hangs on the future runs on a
     * thread of the library that may be blocked, or on the calling thread if the outcome is there already.
     */
    public CompletableFuture<LockOutcome> acquireAsync(LockRequest request) {
        return acquireAsync(request, LockOwner.unique());
    }

    /** Takes the lock without blocking, for an owner that may hold it already. Cancelling the future gives the attempt up. */
    public CompletableFuture<LockOutcome> acquireAsync(LockRequest request, LockOwner owner) {
        Arguments.require("the request for a lock", request);
        Arguments.require("the owner of a lock", owner);
        CompletableFuture<LockOutcome> attempt = executor.acquire(request, owner);
        if (scope != LockSurroundings.NONE) {
            attempt.thenAccept(this::reportLossIfAcquired);
        }
        return HandedOver.ofAttempt(attempt, LockTemplate::giveBack);
    }

    private static void giveBack(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            acquired.lease().releaseAsync();
        }
    }

    private void reportLossIfAcquired(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            reportLossOf(acquired.lease());
        }
    }

    void reportLossOf(Lease lease) {
        if (scope != LockSurroundings.NONE) {
            lease.onLost(reportLoss);
        }
    }

    /**
     * Frees a lock whoever holds it, in any process. For operations: the holder's lease is lost, and its work goes on without the
     * lock. The future tells whether anybody held it; it completes exceptionally with a {@link LockBackendException} when the
     * backend fails.
     *
     * @throws IllegalArgumentException if no lock can have this name
     */
    public CompletableFuture<Boolean> forceRelease(String name) {
        LockRequest.requireName(name);
        return HandedOver.of(executor.forceRelease(name));
    }

    /** The kinds of locks that can be asked for. */
    public Set<LockKind> kinds() {
        return executor.kinds();
    }

    /**
     * How often this owner holds the lock in this process, in whatever way it was taken, by leases that are still valid; costs no
     * command.
     */
    public int holdCount(String name, LockOwner owner) {
        return executor.holdCount(name, owner);
    }

    /** A view of the lock of this name as the JDK knows it. Views of one name over one executor are the same lock. */
    public DistributedLock lock(String name) {
        return lock(name, LockKind.REENTRANT);
    }

    /**
     * A view of the lock of this name, taken in this way.
     *
     * @throws IllegalArgumentException if the executor does not have locks of this kind, or no lock can have this name
     */
    public DistributedLock lock(String name, LockKind kind) {
        LockRequest.requireName(name);
        Arguments.require("the kind of lock '" + MessageText.of(name) + "'", kind);
        if (!kinds().contains(kind)) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name) + "' cannot be taken as " + kind
                    + ": the executor has only " + kinds() + ". Ask for one of these, or use another executor.");
        }
        return new LockView(this, name, kind);
    }

    /**
     * A view of the lock of this name for readers and writers. A thread that holds the write lock gets the read lock as well, and
     * keeps it when it unlocks the write lock. A thread that holds the read lock only gets a {@link LockUpgradeException} from the
     * write lock, or {@code false} where it only tries.
     *
     * @throws IllegalArgumentException if the executor has no locks of these kinds
     */
    public DistributedReadWriteLock readWriteLock(String name) {
        return new DistributedReadWriteLock(lock(name, LockKind.READ), lock(name, LockKind.WRITE));
    }

    /** Collects the parts of a {@link LockTemplate}. Not thread-safe. */
    public static final class Builder {

        private LockExecutor executor;
        private LockDefaults defaults = LockDefaults.STANDARD;
        private LockSurroundings scope = LockSurroundings.NONE;

        private Builder(LockExecutor executor) {
            this.executor = executor;
        }

        /** What requests use where they say nothing; {@link LockDefaults#STANDARD} unless said. */
        public Builder defaults(LockDefaults defaults) {
            this.defaults = defaults;
            return this;
        }

        /** What the work respects besides itself, such as transactions; {@link LockSurroundings#NONE} unless said. */
        public Builder scope(LockSurroundings scope) {
            this.scope = scope;
            return this;
        }

        /** Puts something around the executor as it is by now: what is said later is outside. */
        public Builder decorate(UnaryOperator<LockExecutor> decorator) {
            this.executor = decorator.apply(executor);
            return this;
        }

        /** Makes the template. */
        public LockTemplate build() {
            return new LockTemplate(executor, defaults, scope);
        }
    }
}
