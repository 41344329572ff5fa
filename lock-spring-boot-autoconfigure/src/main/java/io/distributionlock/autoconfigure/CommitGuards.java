package io.distributionlock.autoconfigure;

import io.distributionlock.transaction.LockCommitGuard;
import io.distributionlock.transaction.ReactiveCommitGuard;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.config.TransactionManagementConfigUtils;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.util.ClassUtils;

/** Makes all transactions check the locks around them before they commit: guards their managers, operators and reactive methods. */
class CommitGuards implements BeanFactoryPostProcessor, BeanPostProcessor {

    private static final String REACTIVE = "reactiveCommitGuard";

    /**
     * Registers the advice after all other beans: advice of equal order is applied in bean order. Where Spring does not advise transactional
     * methods, there is nothing to guard.
     */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        if (beanFactory instanceof BeanDefinitionRegistry registry
                && registry.containsBeanDefinition(TransactionManagementConfigUtils.TRANSACTION_ADVISOR_BEAN_NAME)
                && !registry.containsBeanDefinition(REACTIVE)
                && ClassUtils.isPresent("reactor.core.publisher.Mono", beanFactory.getBeanClassLoader())) {
            RootBeanDefinition definition = new RootBeanDefinition(ReactiveCommitGuard.class);
            definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
            registry.registerBeanDefinition(REACTIVE, definition);
        }
    }

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
