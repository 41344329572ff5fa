package io.distributionlock;

import java.util.concurrent.locks.ReadWriteLock;

/** A read view and a write view of one lock, which readers share and one writer holds alone. Thread-safe. */
public final class DistributedReadWriteLock implements ReadWriteLock {

    private final DistributedLock readLock;
    private final DistributedLock writeLock;

    DistributedReadWriteLock(DistributedLock readLock, DistributedLock writeLock) {
        this.readLock = readLock;
        this.writeLock = writeLock;
    }

    @Override
    public DistributedLock readLock() {
        return readLock;
    }

    @Override
    public DistributedLock writeLock() {
        return writeLock;
    }

    @Override
    public String toString() {
        return "DistributedReadWriteLock[" + readLock.name() + "]";
    }
}
