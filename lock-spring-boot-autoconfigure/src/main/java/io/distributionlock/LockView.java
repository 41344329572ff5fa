package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A {@link DistributedLock} over the template; keeps no state but what its thread has locked through views. */
final class LockView implements DistributedLock {

    private final LockTemplate template;
    private final LockExecutor executor;
    private final ThreadLeases leases;
    private final String name;
    private final LockKind kind;

    LockView(LockTemplate template, LockExecutor executor, ThreadLeases leases, String name, LockKind kind) {
        this.template = template;
        this.executor = executor;
        this.leases = leases;
        this.name = template.request(name).build().name();
        this.kind = kind;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (!tryLock(LockRequest.FOREVER)) {
            throw new IllegalStateException(
                    "Lock '" + MessageText.of(name) + "' was reported busy before the end of time.");
        }
    }

    @Override
    public boolean tryLock() {
        LockOutcome outcome = attemptUninterruptibly();
        return keep(outcome);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        // Saturates where the time is longer than nanoseconds can say.
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        return tryLock(wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait);
    }

    private boolean tryLock(Duration wait) throws InterruptedException {
        return keep(template.attemptInterruptibly(
                template.request(name).kind(kind).tryLockTime(wait).build(), LockOwner.currentThread()));
    }

    /** {@link java.util.concurrent.locks.Lock#tryLock()} does not respond to interrupts; one command is waited for, no more. */
    private LockOutcome attemptUninterruptibly() {
        LockRequest once =
                template.request(name).kind(kind).tryLockTime(Duration.ZERO).build();
        try {
            return template.acquireAsyncForWork(once, LockOwner.currentThread()).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException mistake ? mistake : e;
        }
    }

    private boolean keep(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            template.reportLossOf(acquired.lease());
            leases.push(this, acquired.lease());
            return true;
        }
        if (outcome instanceof LockOutcome.NotAcquired failed
                && (failed instanceof LockOutcome.BackendFailed || failed instanceof LockOutcome.NotReplicated)) {
            throw LockNotAcquiredException.of(name, failed);
        }
        return false;
    }

    @Override
    public void unlock() {
        Lease lease = leases.pop(this);
        if (lease == null) {
            throw new IllegalMonitorStateException("Lock '" + MessageText.of(name) + "' is not held by thread '"
                    + Thread.currentThread().getName()
                    + "' through a view. Only the thread that locked it may unlock it.");
        }
        if (lease.release() == ReleaseResult.LOST) {
            throw new LockLostException(name);
        }
    }

    @Override
    public int holdCount() {
        LockOwner me = LockOwner.currentThread();
        return kind == LockKind.REENTRANT ? executor.holdCount(name, me) : executor.holdCount(name, me, kind);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public boolean isLocked() {
        try {
            return executor.isLocked(name).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof LockBackendException backend) {
                throw backend;
            }
            throw e;
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "Lock '" + MessageText.of(name) + "' has no conditions: a signal would have to reach other"
                        + " processes. Use a message or a queue for that.");
    }

    @Override
    public String toString() {
        return "DistributedLock[" + MessageText.of(name) + (kind == LockKind.REENTRANT ? "" : ", " + kind) + "]";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockView that
                && executor == that.executor
                && kind == that.kind
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + kind.hashCode();
    }
}
