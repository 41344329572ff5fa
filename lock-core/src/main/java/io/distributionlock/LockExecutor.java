package io.distributionlock;

import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The service-provider interface: acquires and releases locks in a backend. No method but {@link #stop} blocks;
 * {@link LockTemplate} adds blocking calls. Decorators extend {@link DelegatingLockExecutor}.
 *
 * <p>An implementation is correct if it passes the contract tests of this project.
 */
public interface LockExecutor {

    /** The kinds of locks that this executor supports; by default only {@link LockKind#REENTRANT}. */
    default Set<LockKind> kinds() {
        return Set.of(LockKind.REENTRANT);
    }

    /**
     * Begins an attempt to acquire a lock. Returns at once, without waiting for any answer: the commands for several locks may leave
     * together, after the last of them was asked for. The future completes with the outcome, and exceptionally only for an error
     * in the program: with an {@link IllegalArgumentException} for a kind that is not one of {@link #kinds()}, or if the implementation
     * is defective.
     *
     * <p>Cancelling the future gives up the attempt: if {@link CompletableFuture#cancel cancel} returns {@code true}, this attempt
     * does not hold the lock and never will.
     *
     * <p>An owner that already holds the lock re-enters it, with a separate lease.
     *
     * <p>Callbacks attached to the future may run on a thread of the library, and must not block there.
     */
    CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner);

    /** The number of valid leases of this lock that the owner holds in this process; costs no command. */
    int holdCount(String name, LockOwner owner);

    /**
     * The identity of the place that keeps the locks. A decorator returns that of its delegate. By default this object.
     */
    default Object backend() {
        return this;
    }

    /**
     * Asks the backend whether the lock is held, in any process. The future completes exceptionally with a
     * {@link LockBackendException} if the backend fails.
     */
    CompletableFuture<Boolean> isLocked(String name);

    /**
     * Releases a lock by force, whichever process holds it, and hands it to the next waiter. For operations: the holder loses its
     * lease, and its work continues without the lock. The future returns whether the lock was held; it completes exceptionally
     * with a {@link LockBackendException} if the backend fails, and with an {@link UnsupportedOperationException} by default.
     */
    default CompletableFuture<Boolean> forceRelease(String name) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "This executor cannot release lock '" + MessageText.of(name) + "' by force."));
    }

    /**
     * Connects in the background, ahead of the first attempt, and accepts attempts again after {@link #stop}; earlier leases stay lost. Does
     * not wait for the backend, nor fail without it. An executor that needs neither does nothing, as by default.
     */
    default void start() {}

    /**
     * Stops this executor until {@link #start}: new attempts fail with {@link LockOutcome.BackendFailed}, and waiters leave their
     * queues. Holders continue, with renewal, until they release or the timeout ends; then their locks are released and reported as
     * lost. Blocks little longer than the timeout, even if the backend is down. Does nothing if already stopped, and by default.
     */
    default void stop(Duration timeout) {}
}
