package io.distributionlock;

import io.distributionlock.LockTemplate.CheckedWork;
import io.distributionlock.LockTemplate.Execution;
import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.BatchRelease;
import io.distributionlock.internal.OffloadedFuture;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several locks that are acquired together: all or none. If they are free, that takes a single round trip, and their release
 * another, however many they are. If one is busy, what comes before it by name is kept, the others are given back, and it is
 * waited for; then the others are asked for again. So two calls never wait for each other in a circle. A lease that ends meanwhile
 * is asked for again too. The waiting time of each lock runs from the start. Immutable and thread-safe; each attempt acquires the locks anew.
 *
 * <p>Two attempts that share several locks and do not wait ({@link LockRequest#tryLockTime()} of zero) may both find one busy, even
 * if no third one holds any.
 *
 * <pre>{@code
 * MultiLock both = MultiLock.of(template, List.of(template.request("account:1").build(), template.request("account:2").build()));
 * both.executeWithoutResult(() -> transfer());
 * }</pre>
 */
public final class MultiLock {

    private final LockTemplate template;
    private final List<LockRequest> requests;

    private MultiLock(LockTemplate template, List<LockRequest> requests) {
        this.template = template;
        this.requests = requests;
    }

    /**
     * The locks of these requests. Of several requests for one name, the strongest counts: {@link LockRequest#strongerOf}.
     *
     * @throws IllegalArgumentException if there is no request
     */
    public static MultiLock of(LockTemplate template, Collection<LockRequest> requests) {
        Arguments.require("the template of a MultiLock", template);
        if (Arguments.require("the collection of requests of a MultiLock", requests)
                .isEmpty()) {
            throw new IllegalArgumentException("There is nothing to lock. Give at least one request.");
        }
        TreeMap<String, LockRequest> byName = new TreeMap<>();
        for (LockRequest request : requests) {
            byName.merge(
                    Arguments.require("a request of a MultiLock", request).name(), request, LockRequest::strongerOf);
        }
        return new MultiLock(template, List.copyOf(byName.values()));
    }

    /** The outcome of an attempt to acquire all locks. */
    public sealed interface Outcome {

        /** A lease for each lock, in the order of their names. */
        record Acquired(List<Lease> leases) implements Outcome {

            public Acquired {
                leases = List.copyOf(leases);
            }

            /**
             * Releases all of them at the same time, and waits for all answers; see {@link Lease#release()}. If a release throws in
             * spite of that contract, the others still take place; then the first exception is thrown, and the others are
             * suppressed in it.
             */
            public void release() {
                Failures failures = new Failures();
                BatchRelease.of(leases, Lease::releaseAsync, ReleaseResult.UNCONFIRMED)
                        .await(failures);
                if (failures.first != null) {
                    throw failures.first;
                }
            }

            /** As {@link #release()}, without blocking; see {@link Lease#releaseAsync()}. */
            public CompletableFuture<Void> releaseAsync() {
                Failures failures = new Failures();
                return OffloadedFuture.of(BatchRelease.of(leases, Lease::releaseAsync, ReleaseResult.UNCONFIRMED)
                        .whenAnswered(failures)
                        .thenCompose(all -> failures.first == null
                                ? CompletableFuture.completedFuture(all)
                                : CompletableFuture.failedFuture(failures.first)));
            }
        }

        /** One lock was not acquired; those before it were released. */
        record NotAcquired(LockRequest request, LockOutcome.NotAcquired outcome) implements Outcome {

            /** The name of the lock that was not acquired. */
            public String lockName() {
                return request.name();
            }
        }
    }

    /** The first exception of a release; the others are suppressed in it. */
    private static final class Failures implements BatchRelease.Report<Lease, ReleaseResult> {

        private @Nullable RuntimeException first;

        @Override
        public void released(Lease lease, ReleaseResult result) {}

        @Override
        public void failed(Lease lease, RuntimeException failure) {
            if (first == null) {
                first = failure;
            } else {
                first.addSuppressed(failure);
            }
        }
    }

    /** The requests, in the order of their names. */
    public List<LockRequest> requests() {
        return requests;
    }

    /**
     * Runs the work while holding all locks, and returns its result. Exceptions of the work are rethrown unchanged. Transactions
     * and lost leases are handled as by {@link LockTemplate#execute(LockRequest, Supplier)}.
     *
     * @throws LockNotAcquiredException if a lock was not acquired; its subclasses say why. The work did not run
     * @throws LockLostException if a lease was lost whose request says {@link OnLost#THROW}
     */
    public <T> T execute(Supplier<T> work) {
        Arguments.require("the work of MultiLock.execute", work);
        return run("execute", work::get);
    }

    /** As {@link #execute(Supplier)}, for work without a result. */
    public void executeWithoutResult(Runnable work) {
        Arguments.require("the work of MultiLock.executeWithoutResult", work);
        run("execute", LockTemplate.withoutResult(work));
    }

    /** As {@link #execute(Supplier)}, for work that throws checked exceptions. */
    public <T, E extends Exception> T call(CheckedWork<T, E> work) throws E {
        Arguments.require("the work of MultiLock.call", work);
        return run("call", work);
    }

    @SuppressWarnings("NullAway") // null is what the work returned
    private <T, E extends Exception> T run(String method, CheckedWork<T, E> work) throws E {
        return run(method, false, work).result();
    }

    private <T, E extends Exception> Execution<T> run(String method, boolean unlessBusy, CheckedWork<T, E> work)
            throws E {
        return template.provider().runAll("MultiLock." + method, template.executor(), requests, unlessBusy, work);
    }

    /**
     * Runs the work while holding all locks, unless one of them is busy for the whole waiting time. Otherwise as
     * {@link #execute(Supplier)}.
     *
     * @throws LockInterruptedException if the thread was interrupted while it waited; its flag is set again
     * @throws LockBackendException if the backend failed
     */
    public <T> Execution<T> tryExecute(Supplier<T> work) {
        Arguments.require("the work of MultiLock.tryExecute", work);
        return run("tryExecute", true, work::get);
    }

    /**
     * As {@link #tryExecute(Supplier)}, for work without a result.
     *
     * @return whether the work ran; {@code false} if a lock was busy
     */
    public boolean tryExecuteWithoutResult(Runnable work) {
        Arguments.require("the work of MultiLock.tryExecuteWithoutResult", work);
        return run("tryExecute", true, LockTemplate.withoutResult(work)).ran();
    }

    /** As {@link #tryExecute(Supplier)}, for work that throws checked exceptions. */
    public <T, E extends Exception> Execution<T> tryCall(CheckedWork<T, E> work) throws E {
        Arguments.require("the work of MultiLock.tryCall", work);
        return run("tryCall", true, work);
    }

    /**
     * Acquires all locks, to be released by {@link Outcome.Acquired#release()}.
     *
     * @throws LockNotAcquiredException if a lock was not acquired; its subclasses say why
     */
    public Outcome.Acquired acquire() {
        return all(attempt());
    }

    private Outcome.Acquired all(Outcome outcome) {
        if (outcome instanceof Outcome.NotAcquired refused) {
            throw exception(refused);
        }
        return (Outcome.Acquired) outcome;
    }

    private static LockNotAcquiredException exception(Outcome.NotAcquired refused) {
        return LockNotAcquiredException.of(refused.request(), refused.outcome());
    }

    /**
     * Acquires all locks, unless one of them is busy for the whole waiting time.
     *
     * @throws LockInterruptedException if the thread was interrupted while it waited; its flag is set again
     * @throws LockBackendException if the backend failed
     */
    public Optional<Outcome.Acquired> tryAcquire() {
        return unlessBusy(attempt());
    }

    private Optional<Outcome.Acquired> unlessBusy(Outcome outcome) {
        if (outcome instanceof Outcome.Acquired acquired) {
            return Optional.of(acquired);
        }
        Outcome.NotAcquired refused = (Outcome.NotAcquired) outcome;
        if (refused.outcome().reason() == LockFailureReason.BUSY) {
            return Optional.empty();
        }
        throw exception(refused);
    }

    /** Attempts to acquire all locks for the calling thread, which waits, and returns the outcome as a value. */
    public Outcome attempt() {
        return attempt(LockOwner.currentThread());
    }

    /** As {@link #attempt()}, for an owner that may already hold some of the locks. */
    public Outcome attempt(LockOwner owner) {
        Arguments.require("the owner of a MultiLock", owner);
        requests.forEach(template.defaults()::requireGuardOfLease);
        return template.provider().attemptAll(template.executor(), requests, owner);
    }

    /**
     * Acquires all locks without blocking. However the future ends, what is held is released and what is waited for is given up; if it
     * comes too late, {@code cancel} returns {@code false} and the outcome stands. For stages, see
     * {@link LockTemplate#acquireAsync(LockRequest)}.
     */
    public CompletableFuture<Outcome> attemptAsync(LockOwner owner) {
        Arguments.require("the owner of a MultiLock", owner);
        requests.forEach(template.defaults()::requireGuardOfLease);
        return template.provider().attemptAllAsync(template.executor(), requests, owner);
    }
}
