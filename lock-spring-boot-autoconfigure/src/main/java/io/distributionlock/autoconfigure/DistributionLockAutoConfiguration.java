package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.LockProperties.OuterTransaction;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.interceptor.SpringLockScope;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.LockEventPublisher;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Registers a {@link LockExecutor} for the configured backend, a {@link LockTemplate} that uses it, and the advice for annotated methods.
 * Each bean backs off if the application, or a parent of its context, has one.
 *
 * <p>The beans that lock are created when one of them is needed, and at the latest at the end of the start if the application has a
 * locked method or has set a property, so that {@link LockStart} finds every mistake. Otherwise they cost nothing.
 */
@AutoConfiguration(
        afterName = {
            // The names before and since Spring Boot 4.
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@Lazy
@EnableConfigurationProperties(LockProperties.class)
@Import({LockConfigurationSelector.class, AutoProxyRegistrar.class})
public class DistributionLockAutoConfiguration {

    // Static and without dependencies, because an advisor is created before most post-processors.
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static DistributionLockAdvisor distributionLockAdvisor() {
        return new DistributionLockAdvisor();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyAdvisor leaderOnlyAdvisor(ConfigurableListableBeanFactory beanFactory) {
        return new LeaderOnlyAdvisor(beanFactory);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    static LockStart lockStart() {
        return new LockStart();
    }

    @Bean
    static LockExecutorLifecycle lockExecutorLifecycle() {
        return new LockExecutorLifecycle();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockExecutor.class)
    LockTemplate lockTemplate(LockExecutor executor, LockTemplateFactory templates) {
        return templates.create(executor);
    }

    @Bean
    LockTemplateFactory lockTemplateFactory(
            LockProperties properties,
            LockScope scope,
            ObjectProvider<LockTemplateCustomizer> customizers,
            ObjectProvider<LockObserver> observers,
            ListableBeanFactory beanFactory) {
        return new LockTemplateFactory(properties, scope, customizers, observers, beanFactory);
    }

    @Bean
    @ConditionalOnMissingBean
    LockOverrides lockOverrides(LockProperties properties) {
        return properties.toLockOverrides();
    }

    @Bean
    @ConditionalOnMissingBean(LockScope.class)
    SpringLockScope lockSurroundings(LockProperties properties) {
        boolean refuse = properties.transactions().outer() == OuterTransaction.REFUSE;
        return new SpringLockScope(() -> refuse);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "events.enabled", matchIfMissing = true)
    LockEventPublisher lockEventPublisher(ConfigurableApplicationContext context) {
        return new LockEventPublisher(context);
    }
}
