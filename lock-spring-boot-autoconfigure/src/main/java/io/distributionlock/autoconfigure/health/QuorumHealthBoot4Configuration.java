package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.LockProperties;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Health of quorums for Spring Boot 4; {@link QuorumHealthConfiguration} does the same with the classes of Spring Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({
    StringRedisTemplate.class,
    RedisClient.class,
    HealthContributor.class,
    ConditionalOnEnabledHealthIndicator.class
})
@Conditional(OnQuorum.class)
@ConditionalOnEnabledHealthIndicator(LockHealthAutoConfiguration.NAME)
class QuorumHealthBoot4Configuration {

    @Bean(LockHealthAutoConfiguration.BEAN)
    @ConditionalOnMissingBean(name = LockHealthAutoConfiguration.BEAN)
    HealthContributor distributionLockHealthContributor(ListableBeanFactory beanFactory, LockProperties properties) {
        Duration patience = properties.redis().commandTimeout();
        Map<String, HealthIndicator> quorums = new LinkedHashMap<>();
        for (String name : beanFactory.getBeanNamesForType(QuorumLockExecutor.class, true, false)) {
            quorums.put(name, indicator(() -> beanFactory.getBean(name, QuorumLockExecutor.class), patience));
        }
        return CompositeHealthContributor.fromMap(quorums);
    }

    /** Looks the executor up when it is asked, so that no executor is created for its health. */
    private static HealthIndicator indicator(Supplier<QuorumLockExecutor> executor, Duration patience) {
        return () -> {
            QuorumHealth health = QuorumHealth.of(executor.get(), patience);
            return (health.up() ? Health.up() : Health.down())
                    .withDetails(health.details())
                    .build();
        };
    }
}
