package io.distributionlock.autoconfigure;

import io.distributionlock.transaction.ReactiveCommitGuard;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Makes reactive transactions check their locks before they commit. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({TransactionalOperator.class, Mono.class})
class LockReactiveTransactionConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReactiveCommitGuardRegistrar reactiveCommitGuardRegistrar() {
        return new ReactiveCommitGuardRegistrar();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static TransactionalOperatorGuard transactionalOperatorGuard() {
        return new TransactionalOperatorGuard();
    }

    /** Registers the guard after all other beans: advice of equal order is applied in bean order. */
    static class ReactiveCommitGuardRegistrar implements BeanDefinitionRegistryPostProcessor {

        private static final String NAME = "reactiveCommitGuard";

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
            if (!registry.containsBeanDefinition(NAME)) {
                RootBeanDefinition definition = new RootBeanDefinition(ReactiveCommitGuard.class);
                definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
                registry.registerBeanDefinition(NAME, definition);
            }
        }
    }

    /** Wraps the transactional operators that are beans. */
    static class TransactionalOperatorGuard implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            return bean instanceof TransactionalOperator operator ? ReactiveCommitGuard.guarding(operator) : bean;
        }
    }
}
