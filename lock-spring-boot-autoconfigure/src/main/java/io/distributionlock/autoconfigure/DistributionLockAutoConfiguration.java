package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockSurroundings;
import io.distributionlock.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Registers the lock: a {@link LockExecutor} where locks are kept, the {@link LockTemplate} on top, and the advice for
 * annotated methods. Every bean backs off when the application has its own.
 */
@AutoConfiguration(
        afterName = {
            // The same class before and since Spring Boot 4.
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties(LockProperties.class)
@Import({
    RedisLockConfiguration.class,
    RedisStartCheckConfiguration.class,
    LocalLockConfiguration.class,
    QuorumLockConfiguration.class,
    NamedExecutorRegistrar.class,
    LockAdviceConfiguration.class,
    LockTransactionConfiguration.class,
    LockReactiveTransactionConfiguration.class,
    LockWebConfiguration.class,
    LockMetersConfiguration.class
})
@ImportRuntimeHints(LockRuntimeHints.class)
public class DistributionLockAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LockExecutor.class)
    LockTemplate lockTemplate(LockExecutor executor, LockProperties properties, LockSurroundings surroundings) {
        return new LockTemplate(executor, properties.defaults().toLockDefaults(), surroundings);
    }

    @Bean
    @ConditionalOnBean(LockExecutor.class)
    LockExecutorLifecycle lockExecutorLifecycle(LockExecutor executor, LockProperties properties) {
        return new LockExecutorLifecycle(executor, properties.shutdown().timeout());
    }
}
