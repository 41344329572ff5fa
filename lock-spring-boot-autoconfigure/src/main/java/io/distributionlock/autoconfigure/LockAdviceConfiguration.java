package io.distributionlock.autoconfigure;

import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The advice for annotated methods, which Spring Boot's auto-configuration of proxies applies. It has no conditions on beans of parents:
 * without AspectJ, beans are proxied by advisors of their own context only.
 */
@Configuration(proxyBeanMethods = false)
class LockAdviceConfiguration {

    // Before the advisor of the locks, so that its advice is outside of theirs if both have the same order.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyAdvisor distributionLockLeaderOnlyAdvisor() {
        return new LeaderOnlyAdvisor();
    }

    // Made for the first bean that may be proxied, when the properties are not bound yet.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DistributionLockAdvisor distributionLockAdvisor(
            Environment environment, ConfigurableApplicationContext context) {
        int order = Binder.get(environment)
                .bind(LockProperties.PREFIX + ".advice.order", Integer.class)
                .orElse(Ordered.HIGHEST_PRECEDENCE);
        return DistributionLockAdvisor.of(
                order,
                context,
                executor -> context.getBean(LockTemplateConfigurer.class).over(executor));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockStart distributionLockStart() {
        return new LockStart();
    }
}
