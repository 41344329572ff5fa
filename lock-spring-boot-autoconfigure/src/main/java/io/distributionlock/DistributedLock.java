package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock as a {@link Lock}: re-entrant, owned by the thread, renewed until it is unlocked.
 *
 * <p>Every way of locking throws {@link LockBackendException} when the backend fails: a lock that cannot be asked for is not
 * taken silently, and it is not the same as a busy one.
 *
 * <p><b>After a loss</b> a hold stays lost, and known, until its thread has unlocked it. Until then every way of locking throws
 * {@link LockLostException} for that thread, at once and whether or not the lock is free: otherwise the code around, which was not
 * told, would take the new hold for its own. Each {@link #unlock()} of a lost hold throws that exception too, and frees nothing
 * that another holds. When all are unlocked, the thread begins anew.
 */
public interface DistributedLock extends Lock {

    /** The name of the lock. */
    String name();

    /**
     * How often the calling thread has to unlock this view, or another one of this kind, for what it holds; costs no command.
     * Neither what it has lost counts, nor what it holds in other ways, such as by {@link LockTemplate#execute}.
     */
    int holdCount();

    /**
     * Whether the calling thread holds the lock through a view of this kind, by a lease that is still valid as the local clock
     * says; costs no command.
     */
    boolean isHeldByCurrentThread();

    /**
     * Asks the backend whether the calling thread holds the lock through a view of this kind; see {@link Lease#confirm()}. Blocks
     * for one command, at most for the command timeout.
     *
     * @return {@code false} also when the backend did not answer
     */
    boolean confirm();

    /**
     * Makes what the calling thread holds through a view of this kind last at least this long from now; see {@link Lease#extend}.
     * Blocks for one command, at most for the command timeout.
     *
     * @return {@code false} also when it holds nothing
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     */
    boolean extend(Duration holdLockTime);

    /**
     * Locks as {@link #lock()} does, but for this long at most: the lease is not renewed, and lost if it ends before
     * {@link #unlock()}.
     *
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     */
    void lock(Duration holdLockTime);

    /**
     * Locks as {@link #tryLock(long, java.util.concurrent.TimeUnit)} does, but for this long at most: the lease is not renewed.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited
     * @throws IllegalArgumentException if the time to hold is shorter than 1 ms or longer than 365 days
     */
    boolean tryLock(Duration tryLockTime, Duration holdLockTime) throws InterruptedException;

    /**
     * Asks the backend whether anybody, in any process, holds the lock. Blocks for at most the command timeout.
     *
     * @throws LockBackendException if the backend fails
     */
    boolean isLocked();

    /**
     * Releases the lock.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock through a view
     * @throws LockLostException if the calling thread held the lock, but its lease was lost before
     */
    @Override
    void unlock();

    /**
     * Not supported: waiting for a condition would need a signal that reaches other processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
