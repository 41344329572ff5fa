package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.autoconfigure.LockProperties.OuterTransaction;
import io.distributionlock.event.LockEvents;
import io.distributionlock.hold.LockScope;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.LockEventPublisher;
import io.distributionlock.transaction.FencedCommits;
import io.distributionlock.transaction.SpringLockScope;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration for locks: a {@link LockExecutor} where the properties say that locks are kept, a {@link LockTemplate} that uses it,
 * and the advice for annotated methods.
 *
 * <p>The executor and the template are lazy, since an application may have several servers and lock in none. An annotated method has them
 * created when the application starts.
 */
@AutoConfiguration(
        afterName = {
            // The names before and since Spring Boot 4.
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties(LockProperties.class)
@Import({
    LockExecutorConfigurations.InRedis.class,
    LockExecutorConfigurations.Unguarded.class,
    LockExecutorConfigurations.Redis.class,
    LockExecutorConfigurations.Quorum.class,
    LockExecutorConfigurations.Local.class,
    LockAdviceConfiguration.class
})
public final class DistributionLockAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnBean(LockExecutor.class)
    @ConditionalOnMissingBean(value = LockTemplate.class, name = "distributionLockTemplate")
    LockTemplate distributionLockTemplate(LockExecutor executor, LockTemplateConfigurer configurer) {
        return configurer.over(executor);
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LockTemplateConfigurer distributionLockTemplateConfigurer(
            LockProperties properties,
            LockScope scope,
            ObjectProvider<LockTemplateCustomizer> customizers,
            ObjectProvider<LockObserver> observers) {
        return new LockTemplateConfigurer(properties, scope, customizers, observers);
    }

    @Bean
    LockEvents distributionLockEvents(ObjectProvider<ApplicationEventPublisher> publisher) {
        // Looked up late: a search by type creates factories, which may need the locked bean that this one is needed
        // for.
        return new LockEvents(event -> publisher.getObject().publishEvent(event));
    }

    @Bean
    @ConditionalOnMissingBean
    LockScope distributionLockScope(
            LockProperties properties, LockEvents events, ObjectProvider<FencedCommits> fenced) {
        boolean refuse = properties.transactions().outer() == OuterTransaction.REFUSE;
        return new SpringLockScope(events, refuse, fenced::getIfAvailable);
    }

    @Bean
    @ConditionalOnMissingBean
    LockOverrides distributionLockOverrides(LockProperties properties) {
        return properties.toLockOverrides();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSwitch(value = "events.enabled", defaultValue = false)
    LockEventPublisher distributionLockEventPublisher(LockEvents events) {
        return new LockEventPublisher(events);
    }

    @Bean
    static LockExecutorLifecycle distributionLockExecutorLifecycle() {
        return new LockExecutorLifecycle();
    }
}
