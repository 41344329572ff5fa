package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One holding of a lock, from its acquisition to its release or loss.
 *
 * <p>Safe to use from any thread; the thread that releases need not be the one that acquired. A re-entrant acquisition has a
 * lease of its own, and the lock is freed when all of them are released.
 *
 * <p>What hangs on a future of these methods runs on threads of the library that may be blocked, or on the calling thread if the
 * answer is there already. Cancelling such a future takes nothing back.
 */
public interface Lease extends AutoCloseable {

    /** The name of the lock. */
    String name();

    /** In which way the lock is held. */
    default LockKind kind() {
        return LockKind.REENTRANT;
    }

    /**
     * Who keeps the lock: the same object as {@link LockExecutor#backend()} of the executor that gave this lease, by which a
     * lease of the same name from elsewhere is told from one that guards. By default this object, which is nobody's.
     */
    default Object backend() {
        return this;
    }

    /**
     * The fencing token: greater than that of every earlier acquisition of the same name. Hand it to the guarded resource,
     * and let that refuse a smaller number than it has seen, to be safe from a holder that was paused past its lease (Martin
     * Kleppmann, "How to do distributed locking", 2016).
     */
    long fencingToken();

    /**
     * Whether the lock is held for sure at this moment, by the local monotonic clock alone; costs no command. The answer can
     * be outdated as soon as it is given: a process can be paused between asking and acting.
     */
    boolean isValid();

    /**
     * Asks the backend whether the lock is still held, where {@link #isValid()} goes by the local clock alone. Changes nothing
     * about the lease but that a loss is noticed. Blocks for one command, at most for the command timeout; an interrupt neither
     * ends the wait nor is lost: the thread's flag is set again. By default the same as {@link #isValid()}.
     *
     * @return whether the backend answered that the lock is held; {@code false} also when it did not answer
     * @throws IllegalStateException if it would have to wait on an event loop; use {@link #confirmAsync()} there
     */
    default boolean confirm() {
        return isValid();
    }

    /** The same as {@link #confirm()} without blocking. By default another thread calls that. */
    default CompletableFuture<Boolean> confirmAsync() {
        return CompletableFuture.supplyAsync(this::confirm, CallbackThreads.executor());
    }

    /** How long the lease lasts if it is not renewed, by the local monotonic clock; zero when it is lost or released. */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now. Never shortens it. Blocks for one command, at most for the command
     * timeout; an interrupt neither ends the wait nor is lost: the thread's flag is set again.
     *
     * @return whether the lease now lasts at least that long; {@code false} also when it had been lost or released
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     * @throws IllegalStateException if it would have to wait on an event loop; use {@link #extendAsync} there
     */
    boolean extend(Duration holdLockTime);

    /** The same as {@link #extend} without blocking. By default another thread calls that. */
    default CompletableFuture<Boolean> extendAsync(Duration holdLockTime) {
        return CompletableFuture.supplyAsync(() -> extend(holdLockTime), CallbackThreads.executor());
    }

    /**
     * Runs the listener once if the lease is lost before its release, at once if it is lost already. By then
     * {@link #isValid()} is {@code false}. The listener runs on a thread of the library, beside other listeners and in no order
     * with them. It may block, but threads are few; what it throws is logged.
     */
    void onLost(Consumer<? super Lease> listener);

    /**
     * Leaves the lock to work that goes on without the thread that took it: from now on this lease is no reason to let its owner
     * enter again, who would otherwise meet that work inside. Other leases of the owner still are. The lease is held and renewed
     * as before, and released by whoever ends the work. Does not block; does nothing by default.
     */
    default void detach() {}

    /**
     * Gives the lock up. Blocks until the backend has answered, at most for the command timeout, and never throws: the work
     * that was guarded is done, and its result must not be hidden by a failed release. An interrupt neither ends the wait nor
     * is lost: the thread's flag is set again.
     *
     * <p>On an event loop it does not wait: the release is sent, and the result is {@link ReleaseResult#UNCONFIRMED}.
     */
    ReleaseResult release();

    /** The same as {@link #release()} without blocking; the future never fails. By default another thread calls that. */
    default CompletableFuture<ReleaseResult> releaseAsync() {
        return CompletableFuture.supplyAsync(this::release, CallbackThreads.executor());
    }

    /** The same as {@link #release()}, for try-with-resources. */
    @Override
    default void close() {
        release();
    }
}
