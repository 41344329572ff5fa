package io.distributionlock.transaction;

import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
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

    /** @param fenced asked when the first transaction begins under a lock; {@code null} if no database is known */
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

    /** The advice of a lock runs outside of the transaction, so only the manager knows when that begins. */
    private final class ManagerListener implements TransactionExecutionListener {

        private final TransactionManager manager;

        ManagerListener(TransactionManager manager) {
            this.manager = manager;
        }

        @Override
        public void beforeBegin(TransactionExecution transaction) {
            FencedCommits commits = CurrentLocks.all().isEmpty() ? null : fenced.get();
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
            if (!Transactions.tellsOfCommits()) {
                Set<HeldLocks> around = new LinkedHashSet<>(CurrentLocks.all());
                Transactions.waiting().forEach(hold -> around.addAll(hold.locks()));
                around.forEach(HeldLocks::requireValid);
            }
            FencedCommits commits = fenced.get();
            if (commits != null) {
                commits.beforeCommit(manager, transaction);
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
            FencedCommits commits = fenced.get();
            if (commits != null) {
                commits.afterCompletion(transaction, committed);
            }
        }
    }
}
