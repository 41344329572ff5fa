package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Makes the transactions of all managers and operators check the locks around them before they commit.
 *
 * @hidden
 */
@Internal
public final class CommitGuards implements BeanPostProcessor {

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(new LockCommitGuard());
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof TransactionalOperator operator ? ReactiveCommitGuard.guarding(operator) : bean;
    }
}
