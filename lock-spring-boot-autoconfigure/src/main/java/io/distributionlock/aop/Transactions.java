package io.distributionlock.aop;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transaction that the calling thread is in. Others see what it wrote only once it has committed, so locks are kept until
 * then; and it must not commit what a lost lock no longer guards.
 */
final class Transactions {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** Whether the calling thread is in a transaction. */
    static boolean isActive() {
        return PRESENT && Synchronizations.isActive();
    }

    /** What the present transaction keeps: the one at this moment, even if another begins inside it. */
    static TransactionHold current() {
        return Synchronizations.current();
    }

    /** Touched only when Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        static boolean isActive() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive();
        }

        static TransactionHold current() {
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

    /** Runs after all others: nothing is written after the check, and nothing of the transaction is left after the release. */
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
            hold.end();
        }
    }
}
