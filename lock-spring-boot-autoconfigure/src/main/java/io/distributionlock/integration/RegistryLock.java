package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockBackendException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A lock that confirms its hold with the backend when it is locked again. A leader of Spring Integration locks again at each
 * heartbeat, and detects a loss only by that.
 */
final class RegistryLock implements DistributedLock {

    private final DistributedLock lock;

    RegistryLock(DistributedLock lock) {
        this.lock = lock;
    }

    /** Detects a loss, after which the view throws. */
    private void confirmIfHeld() {
        if (!lock.isHeldByCurrentThread()) {
            return;
        }
        long start = System.nanoTime();
        if (!lock.confirm() && lock.isHeldByCurrentThread()) {
            throw new LockBackendException(
                    lock.name(),
                    Duration.ofNanos(System.nanoTime() - start),
                    new IllegalStateException("the backend did not confirm that the lock is still held"));
        }
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public void lock() {
        confirmIfHeld();
        lock.lock();
    }

    @Override
    public void lock(Duration holdLockTime) {
        confirmIfHeld();
        lock.lock(holdLockTime);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        confirmIfHeld();
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        confirmIfHeld();
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        confirmIfHeld();
        return lock.tryLock(time, unit);
    }

    @Override
    public boolean tryLock(Duration tryLockTime, Duration holdLockTime) throws InterruptedException {
        confirmIfHeld();
        return lock.tryLock(tryLockTime, holdLockTime);
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public int holdCount() {
        return lock.holdCount();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    @Override
    public boolean confirm() {
        return lock.confirm();
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        return lock.extend(holdLockTime);
    }

    @Override
    public boolean isLocked() {
        return lock.isLocked();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public String toString() {
        return lock.toString();
    }
}
