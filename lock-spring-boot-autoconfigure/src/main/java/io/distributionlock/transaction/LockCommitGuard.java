package io.distributionlock.transaction;

import io.distributionlock.HeldLocks;
import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Checks before every commit inside a locked method that the lock is still held, and rolls back if it is lost. Listens to the
 * transaction managers, because the advice of a lock runs outside of the transaction.
 *
 * @hidden
 */
@Internal
public final class LockCommitGuard implements TransactionExecutionListener {

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null && TransactionSynchronizationManager.isSynchronizationActive()) {
            boolean mayWrite = !transaction.isReadOnly();
            HeldLocks.Entered.all().forEach(held -> Transactions.current().beganIn(held, mayWrite));
        }
    }
}
