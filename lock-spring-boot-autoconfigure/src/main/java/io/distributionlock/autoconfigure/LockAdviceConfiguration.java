package io.distributionlock.autoconfigure;

import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;

/**
 * The advice for annotated methods, which Spring Boot's auto-configuration of proxies applies. It has no conditions on beans of parents:
 * without AspectJ, beans are proxied by advisors of their own context only.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class LockAdviceConfiguration implements ApplicationContextAware {

    private @Nullable ConfigurableApplicationContext context;

    // Not as a parameter of the advisor: to resolve that, Spring makes factories of the application. Beans that these
    // need would be made while there is no advisor yet, and be without a lock.
    @Override
    public void setApplicationContext(ApplicationContext own) {
        context = (ConfigurableApplicationContext) own;
    }

    // Before the advisor of the locks, so that its advice is outside of theirs if both have the same order.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyAdvisor distributionLockLeaderOnlyAdvisor() {
        return new LeaderOnlyAdvisor();
    }

    // Made for the first bean that may be proxied, when the properties are not bound yet.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    DistributionLockAdvisor distributionLockAdvisor() {
        ConfigurableApplicationContext own = Objects.requireNonNull(context);
        int order = Binder.get(own.getEnvironment())
                .bind(LockProperties.PREFIX + ".advice.order", Integer.class)
                .orElse(Ordered.HIGHEST_PRECEDENCE);
        return DistributionLockAdvisor.of(
                order,
                own,
                executor -> own.getBean(LockTemplateConfigurer.class).over(executor));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockStart distributionLockStart() {
        return new LockStart();
    }
}
