package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.autoconfigure.leader.LeaderConfiguration;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.autoconfigure.property.UnknownPropertiesCheck;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.monitor.LockObserver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Registers a {@link LockExecutor} for the configured backend, a {@link LockTemplate} that uses it, and the advice for annotated methods.
 * Each bean backs off if the application defines its own.
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
@EnableConfigurationProperties(LockProperties.class)
@Import({
    LockExecutorSelector.class,
    NamedExecutorRegistrar.class,
    LockAdviceConfiguration.class,
    LockTransactionConfiguration.class,
    LockReactiveTransactionConfiguration.class,
    LockWebConfiguration.class,
    LockEventsConfiguration.class,
    LockMetersConfiguration.class,
    LockObservationConfiguration.class,
    LockEndpointConfiguration.class,
    LeaderConfiguration.class
})
@ImportRuntimeHints(LockRuntimeHints.class)
public class DistributionLockAutoConfiguration {

    @Bean
    static UnknownPropertiesCheck lockUnknownPropertiesCheck(Environment environment) {
        return new UnknownPropertiesCheck(environment);
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
            ObjectProvider<LockObserver> observers) {
        return new LockTemplateFactory(properties, scope, customizers, observers);
    }

    @Bean
    @ConditionalOnMissingBean
    LockOverrides lockOverrides(LockProperties properties) {
        return properties.toLockOverrides();
    }

    @Bean
    @ConditionalOnBean(LockExecutor.class)
    LockExecutorLifecycle lockExecutorLifecycle(LockExecutor executor, LockProperties properties) {
        return new LockExecutorLifecycle(executor, properties.shutdown().timeout());
    }
}
