package io.distributionlock.hold;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockUpgradeException;
import io.distributionlock.ReleaseResult;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A {@link DistributedLock} over a template. Its only state is what each thread has locked through views. */
final class LockView implements DistributedLock {

    private final TemplateProvider provider;
    private final LockTemplate template;
    private final LockExecutor executor;
    private final ThreadLeases leases;
    private final String name;
    private final LockKind kind;
    /** How many there are if it is a view of permits; otherwise 0. */
    private final int permits;
    /** The fixed hold time, or {@code null} for a renewed lease. */
    private final @Nullable Duration holdLockTime;

    LockView(TemplateProvider provider, LockTemplate template, String name, LockKind kind, int permits) {
        this(
                provider,
                template,
                template.executor(),
                template.request(name).build().name(),
                kind,
                permits,
                null);
    }

    private LockView(
            TemplateProvider provider,
            LockTemplate template,
            LockExecutor executor,
            String name,
            LockKind kind,
            int permits,
            @Nullable Duration holdLockTime) {
        this.provider = provider;
        this.template = template;
        this.executor = executor;
        this.leases = new ThreadLeases(executor.backend(), name);
        this.name = name;
        this.kind = kind;
        this.permits = permits;
        this.holdLockTime = holdLockTime;
    }

    /** A view of the same lock with a fixed hold time. */
    private LockView holding(Duration fixed) {
        return new LockView(provider, template, executor, name, kind, permits, fixed);
    }

    private LockRequest request(Duration wait) {
        LockRequest.Builder request = template.request(name).tryLockTime(wait);
        request = kind == LockKind.PERMIT ? request.permits(permits) : request.kind(kind);
        return (holdLockTime == null ? request : request.holdLockTime(holdLockTime)).build();
    }

    /** A thread that has not unlocked a lost hold cannot lock again: see {@link DistributedLock}. */
    private void requireNothingLost() {
        Lease lost = leases.firstLost();
        if (lost != null) {
            throw loss(lost);
        }
    }

    private LockLostException loss(Lease lost) {
        return new LockLostException(name, lost.lossReason());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void lock() {
        requireNothingLost();
        LockOutcome outcome = attemptUninterruptibly(LockRequest.FOREVER);
        while (outcome instanceof LockOutcome.Lost) {
            outcome = attemptUninterruptibly(LockRequest.FOREVER);
        }
        requireLocked(keep(outcome));
    }

    @Override
    public void lock(Duration fixed) {
        holding(fixed).lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        requireNothingLost();
        LockOutcome outcome = attemptInterruptibly(LockRequest.FOREVER);
        while (outcome instanceof LockOutcome.Lost) {
            outcome = attemptInterruptibly(LockRequest.FOREVER);
        }
        requireLocked(keep(outcome));
    }

    private void requireLocked(boolean locked) {
        if (!locked) {
            throw new IllegalStateException(
                    "Lock '" + MessageText.of(name) + "' was reported busy although the wait has no limit.");
        }
    }

    @Override
    public boolean tryLock() {
        requireNothingLost();
        try {
            // The JDK's tryLock() ignores interrupts; this waits for one command only.
            return keep(attemptUninterruptibly(Duration.ZERO));
        } catch (LockUpgradeException e) {
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        // toNanos saturates.
        return tryLockFor(Duration.ofNanos(Math.max(0, unit.toNanos(time))));
    }

    @Override
    public boolean tryLock(Duration wait, Duration fixed) throws InterruptedException {
        return holding(fixed).tryLockFor(wait.isNegative() ? Duration.ZERO : wait);
    }

    private boolean tryLockFor(Duration wait) throws InterruptedException {
        requireNothingLost();
        try {
            return keep(attemptInterruptibly(wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait));
        } catch (LockUpgradeException e) {
            return false;
        }
    }

    private LockOutcome attemptInterruptibly(Duration wait) throws InterruptedException {
        return LockAttempts.attemptInterruptibly(executor, request(wait), LockOwner.currentThread());
    }

    private LockOutcome attemptUninterruptibly(Duration wait) {
        return LockAttempts.attemptUninterruptibly(executor, request(wait), LockOwner.currentThread());
    }

    private boolean keep(LockOutcome outcome) {
        if (outcome instanceof LockOutcome.Acquired acquired) {
            Lease lost = leases.firstLost();
            if (lost != null) {
                // An outer hold was lost during the attempt: the enclosing code would mistake this hold for its own.
                acquired.lease().release();
                throw loss(lost);
            }
            provider.reportLossesOrGiveBack(List.of(acquired.lease()));
            leases.push(kind, acquired.lease());
            return true;
        }
        if (outcome instanceof LockOutcome.NotAcquired failed
                && failed.reason() != LockFailureReason.BUSY
                && failed.reason() != LockFailureReason.INTERRUPTED) {
            throw LockNotAcquiredException.of(name, failed);
        }
        return false;
    }

    @Override
    public void unlock() {
        Lease lease = leases.pop(kind);
        if (lease == null) {
            throw new IllegalMonitorStateException("Lock '" + MessageText.of(name) + "' is not held by thread '"
                    + Thread.currentThread().getName()
                    + "' through a view. Only the thread that locked it may unlock it.");
        }
        if (lease.release() == ReleaseResult.LOST) {
            throw loss(lease);
        }
    }

    @Override
    public int holdCount() {
        return leases.count(kind);
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return holdCount() > 0;
    }

    @Override
    public boolean confirm() {
        Lease lease = leases.innermost(kind);
        return lease != null && lease.confirm();
    }

    @Override
    public boolean extend(Duration fromNow) {
        Lease lease = leases.innermost(kind);
        return lease != null && lease.extend(fromNow);
    }

    @Override
    public boolean isLocked() {
        Await.requireAllowed("Whether lock '" + MessageText.of(name) + "' is held", "LockExecutor.isLocked");
        try {
            return Await.uninterruptibly(executor.isLocked(name));
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
                "Lock '" + MessageText.of(name) + "' does not support conditions: a signal would have to reach other"
                        + " processes. Use a message or a queue instead.");
    }

    @Override
    public String toString() {
        return "DistributedLock[" + MessageText.of(name) + (kind == LockKind.REENTRANT ? "" : ", " + kind) + "]";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockView that
                && executor.backend() == that.executor.backend()
                && kind == that.kind
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + kind.hashCode();
    }
}
