package io.distributionlock.autoconfigure;

import io.distributionlock.transaction.LockCommitGuard;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Makes every transaction manager check the locks of a method before it commits. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ConfigurableTransactionManager.class)
class LockTransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitGuardInstaller lockCommitGuardInstaller() {
        return new CommitGuardInstaller();
    }

    /** Adds the guard to each transaction manager when it is created. */
    static class CommitGuardInstaller implements BeanPostProcessor {

        private final LockCommitGuard guard = new LockCommitGuard();

        @Override
        public Object postProcessBeforeInitialization(Object bean, String beanName) {
            if (bean instanceof ConfigurableTransactionManager manager) {
                manager.addListener(guard);
            }
            return bean;
        }
    }
}
