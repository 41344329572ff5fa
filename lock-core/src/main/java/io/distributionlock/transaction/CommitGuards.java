package io.distributionlock.transaction;

import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
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

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(new ManagerListener());
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof TransactionalOperator operator ? ReactiveCommitGuard.guarding(operator) : bean;
    }

    /** The advice of a lock runs outside of the transaction, so only the manager knows when that begins. */
    private static final class ManagerListener implements TransactionExecutionListener {

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

        /** A manager that has no synchronizations would tell nobody else. */
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            if (!Transactions.tellsOfCommits()) {
                Set<HeldLocks> around = new LinkedHashSet<>(CurrentLocks.all());
                Transactions.waiting().forEach(hold -> around.addAll(hold.locks()));
                around.forEach(HeldLocks::requireValid);
            }
        }
    }
}
