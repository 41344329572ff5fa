package io.distributionlock.transaction;

import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Makes the transactions of all managers and operators check the locks around them before they commit, and roll back if one is lost.
 *
 * <p>As infrastructure, it is made without a search for advisors, which would create these and factories too early.
 *
 * @hidden
 */
@Internal
public final class CommitGuards implements BeanPostProcessor, AopInfrastructureBean {

    private final Supplier<@Nullable FencedCommits> fenced;

    /** Once it was needed. */
    private volatile @Nullable FencedCommits known;

    /** @param fenced asked when the first transaction begins under a lock that needs it; {@code null} if no database is known */
    public CommitGuards(Supplier<@Nullable FencedCommits> fenced) {
        this.fenced = fenced;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(new ManagerListener(manager));
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof TransactionalOperator operator ? ReactiveCommitGuard.guarding(operator) : bean;
    }

    /** Those around the transaction, its own, and those of transactions that wait for it to end. */
    private static Set<HeldLocks> locksOfTransaction() {
        Set<HeldLocks> all = new LinkedHashSet<>(CurrentLocks.all());
        TransactionHold own = Transactions.known();
        if (own != null) {
            all.addAll(own.locks());
        }
        Transactions.waiting().forEach(hold -> all.addAll(hold.locks()));
        return all;
    }

    /** Most transactions are under no lock that needs it, and are spared the search for a bean. */
    private @Nullable FencedCommits commitsUnder(Collection<HeldLocks> locks) {
        if (locks.stream().noneMatch(HeldLocks::isFenced)) {
            return null;
        }
        FencedCommits commits = known;
        if (commits == null) {
            commits = fenced.get();
            known = commits;
        }
        return commits;
    }

    /** The advice of a lock runs outside of the transaction, so only the manager knows when that begins. */
    private final class ManagerListener implements TransactionExecutionListener {

        private final TransactionManager manager;

        ManagerListener(TransactionManager manager) {
            this.manager = manager;
        }

        @Override
        public void beforeBegin(TransactionExecution transaction) {
            FencedCommits commits = commitsUnder(CurrentLocks.all());
            if (commits != null) {
                commits.beforeBegin(manager);
            }
        }

        @Override
        public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
            List<HeldLocks> around = beginFailure == null ? CurrentLocks.all() : List.of();
            List<TransactionHold> outer = beginFailure == null ? Transactions.waiting() : List.of();
            TransactionHold hold = around.isEmpty() && outer.isEmpty() ? null : Transactions.current();
            if (hold != null) {
                around.forEach(held -> hold.beganIn(held, !transaction.isReadOnly()));
                outer.forEach(hold::beganInside);
            }
        }

        /** After all synchronizations. A manager that has none would tell nobody else. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            Set<HeldLocks> locks = locksOfTransaction();
            if (!Transactions.tellsOfCommits()) {
                locks.forEach(HeldLocks::requireValid);
            }
            FencedCommits commits = commitsUnder(locks);
            if (commits != null) {
                commits.beforeCommit(manager, transaction, locks);
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable commitFailure) {
            ended(transaction, commitFailure == null);
        }

        /** Of a transaction that was about to commit, nobody knows whether it has not. */
        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable rollbackFailure) {
            ended(transaction, false);
        }

        private void ended(TransactionExecution transaction, boolean committed) {
            FencedCommits commits = known;
            if (commits != null) {
                commits.afterCompletion(transaction, committed);
            }
        }
    }
}
