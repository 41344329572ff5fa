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
 * Keeps locks until a surrounding Spring transaction has ended, makes them known to {@link LockContext} and to the transactions
 * inside ({@link LockCommitGuard}), and publishes a {@link LockLostEvent} for each loss.
 */
public final class SpringSurroundings implements LockSurroundings, ApplicationEventPublisherAware {

    private final LockEvents events;
    private final BooleanSupplier refuseOuterTransactions;

    /**
     * @param refuseOuterTransactions whether locked work is refused inside a transaction; otherwise its locks are kept until the
     *     transaction has ended
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
        refuseIfConfigured(work);
        return Transactions.current();
    }

    /** Refuses work inside a transaction of any kind, if that is configured. */
    void refuseIfConfigured(LockedWork work) {
        if (refuseOuterTransactions.getAsBoolean()) {
            throw new IllegalStateException(work.describe()
                    + " was called inside a transaction, so its lock would have to be held until the transaction has ended. Call it"
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
