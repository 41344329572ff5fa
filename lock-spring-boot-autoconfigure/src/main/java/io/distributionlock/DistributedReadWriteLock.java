package io.distributionlock;

import java.util.concurrent.locks.ReadWriteLock;

/** The two views of one lock: shared by readers, or held by a single writer. Thread-safe. */
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
