package io.distributionlock.engine;

import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import org.jspecify.annotations.Nullable;

/** One attempt of this process to take a lock, from its arrival to its outcome. */
final class Waiter {

    /** A wait that is shorter than a round trip must not make a busy lock look like a dead Redis. */
    private static final long FIRST_ANSWER_NANOS = Times.nanos(100);

    final LockOwner owner;
    final LockRequest request;
    final Attempt attempt;
    final long arrivedAt;
    private final long budgetEnd;

    /** What stands for this attempt alone, if anything does. */
    @Nullable
    Contender single;

    /** Whether it was told, by Redis or by a local holder, that somebody else has the lock. */
    private boolean sawBusy;

    Waiter(LockRequest request, LockOwner owner, Attempt attempt, long arrivedAt, EngineSettings settings) {
        this.request = request;
        this.owner = owner;
        this.attempt = attempt;
        this.arrivedAt = arrivedAt;
        // A single attempt waits for nobody, but its one command has the whole command timeout.
        this.budgetEnd = Times.after(
                arrivedAt,
                isSingle()
                        ? settings.commandTimeoutNanos()
                        : request.tryLockTime().toNanos());
    }

    /** When its attempt ends: with its budget, but not before a first answer could have come. */
    long deadline() {
        return sawBusy ? budgetEnd : Math.max(budgetEnd, arrivedAt + FIRST_ANSWER_NANOS);
    }

    boolean sawBusy() {
        return sawBusy;
    }

    void seesBusy() {
        sawBusy = true;
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
