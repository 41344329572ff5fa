package io.distributionlock;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The service-provider interface: a place where locks are kept. Nothing here blocks; {@link LockTemplate} puts blocking calls
 * on top.
 *
 * <p>An implementation is right when it passes the contract tests of this project.
 */
public interface LockExecutor {

    /** The kinds of locks that this executor can take; by default {@link LockKind#REENTRANT} only. */
    default Set<LockKind> kinds() {
        return Set.of(LockKind.REENTRANT);
    }

    /**
     * Begins an attempt to take a lock. Returns at once; the future completes with the outcome, and exceptionally only for a
     * mistake that no waiting mends: with a {@link LockUpgradeException}, with an {@link IllegalArgumentException} for a kind
     * that is not one of {@link #kinds()}, or when the implementation itself is defective.
     *
     * <p>Cancelling the future gives the attempt up and leaves nothing behind: if {@link CompletableFuture#cancel cancel}
     * returns {@code true}, the lock is not and will not be held by this attempt.
     *
     * <p>An owner that holds the lock already gets it again (re-entry) with a lease of its own.
     *
     * <p>Callbacks that are attached to the future may run on a thread of the library, and must not block there.
     */
    CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner);

    /** How often this owner holds the lock in this process, by leases that are still valid; costs no command. */
    int holdCount(String name, LockOwner owner);

    /**
     * Who keeps the locks: the same object as {@link Lease#backend()} of every lease that this executor gives. An executor around
     * another one answers what that answers; by default it is this object.
     */
    default Object backend() {
        return this;
    }

    /**
     * Asks whether anybody, in any process, holds the lock. The future completes exceptionally with a
     * {@link LockBackendException} when the backend fails.
     */
    CompletableFuture<Boolean> isLocked(String name);

    /**
     * Frees a lock whoever holds it, in any process, and hands it to the next waiter. For operations: the holder's lease is lost,
     * and its work goes on without the lock. The future tells whether anybody held it; it completes exceptionally with a
     * {@link LockBackendException} when the backend fails, and with an {@link UnsupportedOperationException} by default.
     */
    default CompletableFuture<Boolean> forceRelease(String name) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This executor cannot free lock '" + MessageText.of(name) + "' by force."));
    }

    /**
     * Takes part again after a {@link #stop}; leases from before stay lost. Does nothing if it was not stopped, and by default. Does
     * not wait for the backend.
     */
    default void start() {}

    /**
     * Stops taking part, until {@link #start}: new attempts fail with {@link LockOutcome.BackendFailed}, waiters leave their queues, and holders may
     * go on, and renew, until they release or the timeout ends; then their locks are released and reported as lost. Blocks
     * for at most the timeout and a moment more, even when the backend is dead. Calling it again does nothing; nor does the
     * default, for an executor that has nothing to end.
     */
    default void stop(Duration timeout) {}
}
