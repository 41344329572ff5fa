package io.distributionlock.autoconfigure;

import io.distributionlock.LockScope;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.LockProperties.OuterTransaction;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.SpringLockScope;
import io.distributionlock.validation.LockDefinitionValidator;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/** The advice around annotated methods, and the check of their declarations at start-up. */
@Configuration(proxyBeanMethods = false)
@Import(AutoProxyRegistrar.class)
class LockAdviceConfiguration {

    // Static and without dependencies, because an advisor is created before most post-processors.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static DistributionLockAdvisor distributionLockAdvisor(ConfigurableListableBeanFactory beanFactory) {
        return new DistributionLockAdvisor(beanFactory);
    }

    @Bean
    @ConditionalOnMissingBean(LockScope.class)
    SpringLockScope lockSurroundings(LockProperties properties) {
        boolean refuse = properties.transactions().outer() == OuterTransaction.REFUSE;
        return new SpringLockScope(() -> refuse);
    }

    @Bean
    @ConditionalOnMissingBean
    LockDefinitionValidator lockDefinitionValidator(
            ConfigurableListableBeanFactory beanFactory, DistributionLockAdvisor advisor, LockProperties properties) {
        boolean fail = properties.validation() == LockProperties.Validation.FAIL;
        return new LockDefinitionValidator(beanFactory, advisor, fail, properties.findSelfInvocations());
    }
}
