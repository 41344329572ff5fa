package io.distributionlock.transaction;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.event.LockEvents;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps locks until the surrounding Spring transaction ends, and publishes a {@link LockLostEvent} for each loss.
 *
 * @hidden
 */
@Internal
public final class SpringLockScope implements LockScope {

    private final LockEvents events;
    private final boolean refuseOuterTransactions;
    private final Supplier<@Nullable FencedCommits> fenced;

    /**
     * @param events where losses are published
     * @param refuseOuterTransactions whether locked work refuses to run inside a transaction; otherwise its locks are kept until
     *     the transaction ends
     * @param fenced asked when a lock needs it; {@code null} if no database is known
     */
    public SpringLockScope(
            LockEvents events, boolean refuseOuterTransactions, Supplier<@Nullable FencedCommits> fenced) {
        this.events = events;
        this.refuseOuterTransactions = refuseOuterTransactions;
        this.fenced = fenced;
    }

    @Override
    public void beforeWork(HeldLocks locks) {
        FencedCommits commits = locks.isFenced() ? fenced.get() : null;
        if (commits == null) {
            LockScope.super.beforeWork(locks);
        } else {
            commits.beforeWork(locks);
        }
    }

    @Override
    public void afterWork(HeldLocks locks) {
        FencedCommits commits = locks.isFenced() ? fenced.get() : null;
        if (commits != null) {
            commits.afterWork(locks);
        }
    }

    @Override
    public void requireDatabase() {
        FencedCommits commits = fenced.get();
        if (commits == null) {
            LockScope.super.requireDatabase();
        } else {
            commits.requireDatabase();
        }
    }

    @Override
    public @Nullable EnclosingTransaction enclosingTransaction(Work work) {
        TransactionHold transaction = Transactions.current();
        if (transaction != null) {
            requireAllowed(work);
        }
        return transaction;
    }

    @Override
    public boolean joinsUnboundTransaction(Work work) {
        requireAllowed(work);
        return true;
    }

    private void requireAllowed(Work work) {
        if (refuseOuterTransactions) {
            throw new IllegalStateException(work.describe()
                    + " was called inside a transaction, so its lock would have to be held until the transaction has ended. Call it"
                    + " outside of the transaction, or set distribution-lock.transactions.outer to 'hold'.");
        }
    }

    @Override
    public void lost(HeldLocks locks, Lease lease, LossReason reason) {
        events.publish(new LockLostEvent(lease.name(), locks.work().javaMethod(), reason));
    }

    @Override
    public void lost(Lease lease) {
        events.publish(new LockLostEvent(lease.name(), null, lease.lossReason()));
    }
}
