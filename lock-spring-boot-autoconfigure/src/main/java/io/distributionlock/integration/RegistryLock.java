package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockBackendException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A lock as Spring Integration's code expects it: who locks again what he holds finds out by that whether he still holds it. A
 * leader asks so at each heartbeat, and nothing else tells it.
 */
final class RegistryLock implements DistributedLock {

    private final DistributedLock lock;

    RegistryLock(DistributedLock lock) {
        this.lock = lock;
    }

    /** After this a loss is known, and the view refuses. */
    private void requireAnswerIfHeld() {
        if (!lock.isHeldByCurrentThread()) {
            return;
        }
        long asked = System.nanoTime();
        if (!lock.confirm() && lock.isHeldByCurrentThread()) {
            throw new LockBackendException(
                    lock.name(),
                    Duration.ofNanos(System.nanoTime() - asked),
                    new IllegalStateException("whether the lock is still held got no answer"));
        }
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public void lock() {
        requireAnswerIfHeld();
        lock.lock();
    }

    @Override
    public void lock(Duration holdLockTime) {
        requireAnswerIfHeld();
        lock.lock(holdLockTime);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireAnswerIfHeld();
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        requireAnswerIfHeld();
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        requireAnswerIfHeld();
        return lock.tryLock(time, unit);
    }

    @Override
    public boolean tryLock(Duration tryLockTime, Duration holdLockTime) throws InterruptedException {
        requireAnswerIfHeld();
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
