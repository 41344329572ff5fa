package io.distributionlock.aop;

import io.distributionlock.LockLostException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for the locks on the caller's thread, runs the method there, and gives the locks back. */
final class BlockingRunner implements CallRunner {

    private final FailureAnswers answers;
    private final LockEvents events;
    private final BooleanSupplier refuseOuterTransactions;

    BlockingRunner(FailureAnswers answers, LockEvents events, BooleanSupplier refuseOuterTransactions) {
        this.answers = answers;
        this.events = events;
        this.refuseOuterTransactions = refuseOuterTransactions;
    }

    @Override
    public @Nullable Object run(LockedCall call) throws Throwable {
        boolean inTransaction = Transactions.isActive();
        if (inTransaction && refuseOuterTransactions.getAsBoolean()) {
            throw new IllegalStateException(call.describeMethod()
                    + " was called inside a transaction, so its lock would have to be held until that has ended. Call it"
                    + " outside of the transaction, or set distribution-lock.transactions.outer to 'hold'.");
        }
        Taking taking = LockTaker.take(call.locks(), call.template());
        if (taking instanceof Taking.Refused refused) {
            return answers.proceedsWithoutLock(call, refused)
                    ? call.invocation().proceed()
                    : answers.answer(call, refused);
        }
        HeldLocks held = new HeldLocks(call, ((Taking.Taken) taking).leases(), events);
        return runHolding(call, held, inTransaction);
    }

    private static @Nullable Object runHolding(LockedCall call, HeldLocks held, boolean inTransaction)
            throws Throwable {
        if (inTransaction) {
            try {
                Transactions.holdUntilCompletion(held);
            } catch (RuntimeException | Error e) {
                held.release();
                throw e;
            }
        }
        Object result = null;
        Throwable failure = null;
        try {
            result = held.proceed();
        } catch (Throwable e) {
            failure = e;
        }
        LockLostException loss = inTransaction ? held.lossToThrow() : held.releaseAndFindLoss();
        if (loss != null && !(failure instanceof LockLostException)) {
            if (failure != null) {
                loss.addSuppressed(failure);
            }
            throw loss;
        }
        if (failure != null) {
            throw failure;
        }
        return result;
    }
}
