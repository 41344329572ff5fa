package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

    /** As {@link #current}, but {@code null} too if nobody has asked for it yet. */
    static @Nullable TransactionHold known() {
        return tellsOfCommits() ? Synchronizations.known() : null;
    }

    /** The holds of the thread's transactions that wait for a transaction inside of them to end, of the same manager or another. */
    static List<TransactionHold> waiting() {
        Set<TransactionHold> waiting = Synchronizations.WAITING.get();
        return waiting == null ? List.of() : List.copyOf(waiting);
    }

    /** Whether the manager of the transaction tells its synchronizations that it commits: that is up to its settings. */
    static boolean tellsOfCommits() {
        return TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Loaded only if Spring's transactions are on the classpath. */
    private static final class Synchronizations {

        static final ThreadLocal<@Nullable Set<TransactionHold>> WAITING = new ThreadLocal<>();

        static @Nullable TransactionHold current() {
            if (!TransactionSynchronizationManager.isSynchronizationActive()
                    || !TransactionSynchronizationManager.isActualTransactionActive()) {
                return null;
            }
            TransactionHold hold = known();
            if (hold == null) {
                hold = new TransactionHold();
                TransactionSynchronizationManager.registerSynchronization(new LockSynchronization(hold));
            }
            return hold;
        }

        static @Nullable TransactionHold known() {
            for (TransactionSynchronization known : TransactionSynchronizationManager.getSynchronizations()) {
                if (known instanceof LockSynchronization own) {
                    return own.hold();
                }
            }
            return null;
        }
    }

    /** Runs after all other synchronizations: nothing is written after the check, and the release comes last. */
    private record LockSynchronization(TransactionHold hold) implements TransactionSynchronization, Ordered {

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void suspend() {
            Set<TransactionHold> waiting = Synchronizations.WAITING.get();
            if (waiting == null) {
                waiting = new LinkedHashSet<>(2);
                Synchronizations.WAITING.set(waiting);
            }
            waiting.add(hold);
        }

        @Override
        public void resume() {
            Set<TransactionHold> waiting = Synchronizations.WAITING.get();
            if (waiting != null && waiting.remove(hold) && waiting.isEmpty()) {
                Synchronizations.WAITING.remove();
            }
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
