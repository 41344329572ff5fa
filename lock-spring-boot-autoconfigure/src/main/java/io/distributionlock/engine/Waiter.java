package io.distributionlock.engine;

import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;

/** One attempt of this process to take a lock, from its arrival to its outcome. */
final class Waiter {

    final LockOwner owner;
    final LockRequest request;
    final Attempt attempt;
    final long arrivedAt;
    final long deadline;

    /** Whether it was told, by Redis or by a local holder, that somebody else has the lock. */
    boolean sawBusy;

    Waiter(LockRequest request, LockOwner owner, Attempt attempt, long arrivedAt, EngineSettings settings) {
        this.request = request;
        this.owner = owner;
        this.attempt = attempt;
        this.arrivedAt = arrivedAt;
        // A single attempt waits for nobody, but its one command has the whole command timeout.
        this.deadline = Times.after(
                arrivedAt,
                isSingle()
                        ? settings.commandTimeoutNanos()
                        : request.tryLockTime().toNanos());
    }

    /** Whether it asks once and does not stand in any queue. */
    boolean isSingle() {
        return request.tryLockTime().isZero();
    }

    long leaseMillis() {
        return Times.coveringMillis(request.holdLockTime().toNanos());
    }

    long holdNanos() {
        return request.holdLockTime().toNanos();
    }
}
