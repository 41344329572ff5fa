package io.distributionlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
        requireLocked(keep(attemptUninterruptibly(LockRequest.FOREVER)));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireLocked(tryLock(LockRequest.FOREVER));
    }

    private void requireLocked(boolean locked) {
        if (!locked) {
            throw new IllegalStateException("Lock '" + name + "' was reported busy before the end of time.");
        }
    }

    @Override
    public boolean tryLock() {
        // Does not respond to interrupts either; one command is waited for, no more.
        return keep(attemptUninterruptibly(Duration.ZERO));
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        // Saturates where the time is longer than nanoseconds can say.
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        return tryLock(wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait);
    }

    private boolean tryLock(Duration wait) throws InterruptedException {
        return keep(template.attemptInterruptibly(request(wait), LockOwner.currentThread()));
    }

    private LockOutcome attemptUninterruptibly(Duration wait) {
        return template.attemptUninterruptibly(request(wait), LockOwner.currentThread());
    }

    private LockRequest request(Duration wait) {
        return template.request(name).kind(kind).tryLockTime(wait).build();
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
            throw new IllegalMonitorStateException("Lock '" + name + "' is not held by thread '"
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
        CompletableFuture<Boolean> answer = executor.isLocked(name);
        Await.requireAllowed(answer, "Whether lock '" + name + "' is held", "LockExecutor.isLocked");
        try {
            return Await.uninterruptibly(answer);
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
                "Lock '" + name + "' has no conditions: a signal would have to reach other"
                        + " processes. Use a message or a queue for that.");
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name + (kind == LockKind.REENTRANT ? "" : ", " + kind) + "]";
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
