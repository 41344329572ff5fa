package io.distributionlock.aop;

import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * The transaction that surrounds a locked call. It sees what the method wrote only once it has committed, so the lock is kept
 * until then; and it must not commit what a lost lock no longer guards.
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

    /**
     * Has the locks checked before the present transaction commits, and released when it has ended in whatever way. This is the
     * transaction that was active when the method was entered, even if the method starts one of its own.
     */
    static void holdUntilCompletion(HeldLocks held) {
        Synchronizations.register(held, true);
    }

    /** Has the locks checked before the transaction commits that has just begun. */
    static void checkBeforeCommit(HeldLocks held) {
        Synchronizations.register(held, false);
    }

    /** Touched only when Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        static boolean isActive() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive();
        }

        static void register(HeldLocks held, boolean releaseAfterwards) {
            TransactionSynchronizationManager.registerSynchronization(new LockSynchronization(held, releaseAfterwards));
        }
    }

    /** Runs after all others: nothing is written after the check, and nothing of the transaction is left after the release. */
    private record LockSynchronization(HeldLocks held, boolean releaseAfterwards)
            implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            held.requireValid();
        }

        @Override
        public void afterCompletion(int status) {
            if (releaseAfterwards) {
                held.release();
            }
        }
    }
}
