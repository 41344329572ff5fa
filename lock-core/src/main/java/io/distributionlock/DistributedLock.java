package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock as a {@link Lock}: re-entrant, owned by the thread, renewed until it is unlocked.
 *
 * <p>Every locking method throws {@link LockBackendException} when the backend fails: a failure is neither ignored nor reported as
 * a busy lock.
 *
 * <p><b>After a loss</b> a hold stays lost until its thread has unlocked it. Until then every locking method throws
 * {@link LockLostException} for that thread at once, even if the lock is free: the enclosing code does not know of the loss and
 * would mistake the new hold for its own. Each {@link #unlock()} of a lost hold throws that exception too, and frees nothing that
 * another holder has. Once all holds are unlocked, the thread can lock again.
 */
public interface DistributedLock extends Lock {

    /** The name of the lock. */
    String name();

    /**
     * The number of valid holds that the calling thread has through views of this kind, and still has to unlock; costs no command.
     * Lost holds do not count, nor do locks acquired by other means, such as {@link LockTemplate#execute}.
     */
    int holdCount();

    /**
     * Whether the calling thread holds the lock through a view of this kind, by a lease that is valid by the local clock; costs no
     * command.
     */
    boolean isHeldByCurrentThread();

    /**
     * Asks the backend whether the calling thread holds the lock through a view of this kind; see {@link Lease#confirm()}. Blocks
     * for one command, at most for the command timeout.
     *
     * @return {@code false} also if the backend did not answer
     */
    boolean confirm();

    /**
     * Extends the innermost hold of the calling thread through a view of this kind to at least this long from now; see
     * {@link Lease#extend}. Blocks for one command, at most for the command timeout.
     *
     * @return {@code false} also if the thread holds nothing
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     */
    boolean extend(Duration holdLockTime);

    /**
     * Locks as {@link #lock()} does, but for at most this long: the lease is not renewed, and is lost if it expires before
     * {@link #unlock()}.
     *
     * @throws IllegalArgumentException if the time is shorter than 1 ms or longer than 365 days
     */
    void lock(Duration holdLockTime);

    /**
     * Locks as {@link #tryLock(long, java.util.concurrent.TimeUnit)} does, but for at most this long: the lease is not renewed.
     *
     * @throws InterruptedException if the thread was interrupted before or while it waited
     * @throws IllegalArgumentException if the time to hold is shorter than 1 ms or longer than 365 days
     */
    boolean tryLock(Duration tryLockTime, Duration holdLockTime) throws InterruptedException;

    /**
     * Asks the backend whether the lock is held, in any process. Blocks for at most the command timeout.
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
     * Not supported: a signal would have to reach other processes.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
