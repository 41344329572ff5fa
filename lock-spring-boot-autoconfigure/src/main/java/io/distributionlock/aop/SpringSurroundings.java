package io.distributionlock.aop;

import io.distributionlock.EnteredLocks;
import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockedWork;
import java.lang.reflect.Method;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;

/**
 * Keeps locks until a surrounding transaction of Spring has ended, lets the transactions inside check them before they commit
 * ({@link LockCommitGuard}), tells {@link LockContext} of them, and publishes a {@link LockLostEvent} for each loss.
 */
public final class SpringSurroundings implements LockSurroundings, ApplicationEventPublisherAware {

    private final LockEvents events;
    private final BooleanSupplier refuseOuterTransactions;

    /**
     * @param refuseOuterTransactions whether locked work refuses to run inside a transaction; otherwise its locks are kept until
     *     that has ended
     */
    public SpringSurroundings(BooleanSupplier refuseOuterTransactions) {
        this(new LockEvents(), refuseOuterTransactions);
    }

    SpringSurroundings(LockEvents events, BooleanSupplier refuseOuterTransactions) {
        this.events = events;
        this.refuseOuterTransactions = refuseOuterTransactions;
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        events.publishTo(publisher);
    }

    @Override
    public @Nullable Surrounding current(LockedWork work) {
        if (!Transactions.isActive()) {
            return null;
        }
        refuseIfTold(work);
        return Transactions.current();
    }

    /** Work is about to run inside a transaction of some kind. */
    void refuseIfTold(LockedWork work) {
        if (refuseOuterTransactions.getAsBoolean()) {
            throw new IllegalStateException(work.describe()
                    + " was called inside a transaction, so its lock would have to be held until that has ended. Call it"
                    + " outside of the transaction, or set distribution-lock.transactions.outer to 'hold'.");
        }
    }

    @Override
    public void entered(HeldLocks locks) {
        EnteredLocks.enter(locks);
    }

    @Override
    public void left(HeldLocks locks) {
        EnteredLocks.leave();
    }

    @Override
    public void lost(HeldLocks locks, Lease lease) {
        Method method = locks.work() instanceof LockedCall call ? call.method().method() : null;
        events.publish(new LockLostEvent(lease.name(), method));
    }

    @Override
    public void lost(Lease lease) {
        events.publish(new LockLostEvent(lease.name(), null));
    }
}
