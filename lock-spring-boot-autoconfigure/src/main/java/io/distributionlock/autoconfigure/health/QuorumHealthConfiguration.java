package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Health of quorums for Spring Boot 3; {@link QuorumHealthBoot4Configuration} does the same with the classes of Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
@Conditional(OnQuorum.class)
@ConditionalOnEnabledHealthIndicator(LockHealthAutoConfiguration.NAME)
class QuorumHealthConfiguration {

    @Bean(LockHealthAutoConfiguration.BEAN)
    @ConditionalOnMissingBean(name = LockHealthAutoConfiguration.BEAN)
    HealthContributor distributionLockHealthContributor(ListableBeanFactory beanFactory, LockProperties properties) {
        Duration patience = properties.redis().commandTimeout();
        return CompositeHealthContributor.fromMap(
                beanFactory.getBeansOfType(QuorumLockExecutor.class), executor -> indicator(executor, patience));
    }

    private static HealthIndicator indicator(QuorumLockExecutor executor, Duration patience) {
        return () -> {
            QuorumHealth health = QuorumHealth.of(executor, patience);
            return (health.up() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
