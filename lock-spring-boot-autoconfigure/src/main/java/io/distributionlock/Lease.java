package io.distributionlock;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * One holding of a lock, from its acquisition to its release or loss.
 *
 * <p>Safe to use from any thread; the thread that releases need not be the one that acquired. A re-entrant acquisition has a
 * lease of its own, and the lock is freed when all of them are released.
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
     */
    default boolean confirm() {
        return isValid();
    }

    /** How long the lease lasts if it is not renewed, by the local monotonic clock; zero when it is lost or released. */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now. Never shortens it. Blocks for one command, at most for the command
     * timeout; an interrupt neither ends the wait nor is lost: the thread's flag is set again.
     *
     * @return whether the lease now lasts at least that long; {@code false} also when it had been lost or released
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     */
    boolean extend(Duration holdLockTime);

    /**
     * Runs the listener once if the lease is lost before its release, at once if it is lost already. By then
     * {@link #isValid()} is {@code false}. The listener runs on a thread of the library: it must not block, and what it
     * throws is logged.
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
     */
    ReleaseResult release();

    /** The same as {@link #release()}, for try-with-resources. */
    @Override
    default void close() {
        release();
    }
}
