package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transaction of the calling thread. Its locks are kept until it has ended, because others see its writes only then; and it
 * must not commit if a lock is lost.
 *
 * @hidden
 */
@Internal
public final class Transactions {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** The hold of the current transaction, or {@code null} outside of any; a transaction that begins inside it has another. */
    public static @Nullable TransactionHold current() {
        return PRESENT ? Synchronizations.current() : null;
    }

    /** Touched only when Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        static @Nullable TransactionHold current() {
            if (!TransactionSynchronizationManager.isSynchronizationActive()
                    || !TransactionSynchronizationManager.isActualTransactionActive()) {
                return null;
            }
            for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
                if (known instanceof LockSynchronization own) {
                    return own.hold();
                }
            }
            TransactionHold hold = new TransactionHold();
            TransactionSynchronizationManager.registerSynchronization(new LockSynchronization(hold));
            return hold;
        }
    }

    /** Runs after all other synchronizations: nothing is written after the check, and the release comes last. */
    private record LockSynchronization(TransactionHold hold) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            hold.requireValid();
        }

        @Override
        public void afterCompletion(int status) {
            hold.end(status == STATUS_ROLLED_BACK);
        }
    }
}
