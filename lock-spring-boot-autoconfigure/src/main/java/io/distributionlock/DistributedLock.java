package io.distributionlock;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A distributed lock as a {@link Lock}: re-entrant, owned by the thread, renewed until it is unlocked.
 *
 * <p>Every way of locking throws {@link LockBackendException} when the backend fails: a lock that cannot be asked for is not
 * taken silently, and it is not the same as a busy one.
 */
public interface DistributedLock extends Lock {

    /** The name of the lock. */
    String name();

    /** How often the calling thread holds the lock; costs no command. */
    int holdCount();

    /** Whether the calling thread holds the lock, by a lease that is still valid; costs no command. */
    boolean isHeldByCurrentThread();

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
