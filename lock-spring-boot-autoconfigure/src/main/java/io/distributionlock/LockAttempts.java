package io.distributionlock;

import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attempts to acquire one lock or several through an executor. Reports no lost lease: the caller decides who does. For this
 * library; applications use {@link LockTemplate} and {@link MultiLock}.
 *
 * @hidden
 */
@Internal
public final class LockAttempts {

    private LockAttempts() {}

    /** Acquires one lock; see {@link LockTemplate#attempt(LockRequest, LockOwner)}. */
    public static LockOutcome attempt(LockExecutor executor, LockRequest request, LockOwner owner) {
        long start = System.nanoTime();
        try {
            return attemptInterruptibly(executor, request, owner);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LockOutcome.Interrupted(Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /**
     * As {@link #attempt}, but throws on an interrupt, as the JDK's locks do.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited; its flag is cleared, and this attempt
     *     does not hold the lock
     */
    static LockOutcome attemptInterruptibly(LockExecutor executor, LockRequest request, LockOwner owner)
            throws InterruptedException {
        Arguments.require("the request for a lock", request);
        Arguments.require("the owner of a lock", owner);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<LockOutcome> attempt = begin(executor, request, owner);
        try {
            return Await.interruptibly(attempt);
        } catch (InterruptedException e) {
            if (attempt.cancel(true)) {
                throw e;
            }
            // The outcome came before the interrupt: keep it, and leave the interrupt to the caller's next wait.
            Thread.currentThread().interrupt();
            return Await.uninterruptibly(attempt);
        } catch (ExecutionException e) {
            throw mistake(request, e.getCause());
        }
    }

    /** As {@link #attempt}, but an interrupt neither ends the wait nor costs the place in the queue; the flag is set again. */
    static LockOutcome attemptUninterruptibly(LockExecutor executor, LockRequest request, LockOwner owner) {
        try {
            return Await.uninterruptibly(begin(executor, request, owner));
        } catch (CompletionException e) {
            throw mistake(request, e.getCause());
        }
    }

    /** Begins an attempt that the calling thread will wait for. */
    private static CompletableFuture<LockOutcome> begin(LockExecutor executor, LockRequest request, LockOwner owner) {
        CompletableFuture<LockOutcome> attempt = executor.acquire(request, owner);
        try {
            Await.requireAllowed(attempt, "Lock '" + MessageText.of(request.name()) + "'", "LockTemplate.acquireAsync");
        } catch (IllegalStateException e) {
            if (attempt.cancel(true)) {
                throw e;
            }
        }
        return attempt;
    }

    private static RuntimeException mistake(LockRequest request, @Nullable Throwable cause) {
        return cause instanceof LockUpgradeException || cause instanceof IllegalArgumentException
                ? (RuntimeException) cause
                : new IllegalStateException(
                        "The lock executor is defective: an attempt for '" + MessageText.of(request.name())
                                + "' ended with an exception instead of an outcome.",
                        cause);
    }

    /**
     * Acquires all locks or none, one after the other; the calling thread waits.
     *
     * @param requests sorted by name, one for each name; the waiting time of each runs from the start of the first
     */
    public static MultiLock.Outcome attemptAll(LockExecutor executor, List<LockRequest> requests, LockOwner owner) {
        long start = System.nanoTime();
        List<Lease> leases = new ArrayList<>(requests.size());
        boolean complete = false;
        try {
            for (LockRequest request : requests) {
                LockOutcome outcome =
                        attempt(executor, leases.isEmpty() ? request : withinBudget(request, start), owner);
                if (outcome instanceof LockOutcome.NotAcquired refused) {
                    return new MultiLock.Outcome.NotAcquired(request.name(), refused);
                }
                leases.add(((LockOutcome.Acquired) outcome).lease());
            }
            complete = true;
            return new MultiLock.Outcome.Acquired(leases);
        } finally {
            if (!complete) {
                new MultiLock.Outcome.Acquired(leases).release();
            }
        }
    }

    private static LockRequest withinBudget(LockRequest request, long start) {
        Duration left = request.tryLockTime().minusNanos(System.nanoTime() - start);
        return request.waiting(left.isNegative() ? Duration.ZERO : left);
    }

    /**
     * Acquires all locks or none without blocking. Cancelling the future releases what is held and gives up what is waited for; if
     * it comes too late, {@code cancel} returns {@code false} and the outcome stands. Callbacks attached to the future run on
     * the thread that brings the outcome, and must not block.
     *
     * @param requests at least one, sorted by name, one for each name
     * @param owners the owner for each lock, by its name
     */
    public static CompletableFuture<MultiLock.Outcome> attemptAllAsync(
            LockExecutor executor, List<LockRequest> requests, Function<String, LockOwner> owners) {
        AsyncAttempt attempt = new AsyncAttempt(executor, requests, owners);
        attempt.next();
        return attempt.result;
    }

    /** Asks for each lock when the one before is held. */
    private static final class AsyncAttempt {

        private final LockExecutor executor;
        private final List<LockRequest> requests;
        private final Function<String, LockOwner> owners;
        private final long start = System.nanoTime();
        private final List<Lease> leases = new ArrayList<>();
        private final AtomicReference<CompletableFuture<LockOutcome>> pending = new AtomicReference<>();
        private final CompletableFuture<MultiLock.Outcome> result = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                boolean cancelled = super.cancel(mayInterruptIfRunning);
                CompletableFuture<LockOutcome> current = pending.get();
                if (cancelled && current != null) {
                    current.cancel(mayInterruptIfRunning);
                }
                return cancelled;
            }
        };

        AsyncAttempt(LockExecutor executor, List<LockRequest> requests, Function<String, LockOwner> owners) {
            this.executor = executor;
            this.requests = requests;
            this.owners = owners;
        }

        void next() {
            LockRequest request = requests.get(leases.size());
            CompletableFuture<LockOutcome> current = executor.acquire(
                    leases.isEmpty() ? request : withinBudget(request, start), owners.apply(request.name()));
            pending.set(current);
            if (result.isCancelled()) {
                current.cancel(true);
            }
            current.whenComplete((outcome, failure) -> completed(request.name(), outcome, failure));
        }

        private void completed(String name, @Nullable LockOutcome outcome, @Nullable Throwable failure) {
            if (outcome instanceof LockOutcome.Acquired acquired) {
                leases.add(acquired.lease());
                if (result.isCancelled()) {
                    release();
                } else if (leases.size() < requests.size()) {
                    next();
                } else if (!result.complete(new MultiLock.Outcome.Acquired(leases))) {
                    release();
                }
                return;
            }
            release();
            if (outcome instanceof LockOutcome.NotAcquired refused) {
                result.complete(new MultiLock.Outcome.NotAcquired(name, refused));
            } else if (failure != null) {
                result.completeExceptionally(failure);
            }
        }

        private void release() {
            new MultiLock.Outcome.Acquired(leases).releaseAsync();
        }
    }
}
