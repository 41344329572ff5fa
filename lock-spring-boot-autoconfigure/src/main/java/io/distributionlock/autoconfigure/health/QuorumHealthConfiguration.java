package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.LockProperties;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.CompositeHealthContributor;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthContributor;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Gives {@link QuorumHealth} the types of Spring Boot 3; {@link QuorumHealthBoot4Configuration} is the same text with those of Spring
 * Boot 4. No class can have both: Spring Boot asks for contributors by their type, and the two lines have none in common.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator(LockHealthAutoConfiguration.NAME)
class QuorumHealthConfiguration {

    @Bean(LockHealthAutoConfiguration.BEAN)
    @ConditionalOnMissingBean(name = LockHealthAutoConfiguration.BEAN)
    HealthContributor distributionLockHealthContributor(ListableBeanFactory beanFactory, LockProperties properties) {
        return CompositeHealthContributor.fromMap(
                QuorumHealth.ofAll(beanFactory, properties), QuorumHealthConfiguration::indicator);
    }

    private static HealthIndicator indicator(Supplier<QuorumHealth> quorum) {
        return () -> {
            QuorumHealth health = quorum.get();
            return Health.status(health.up() ? Status.UP : Status.DOWN)
                    .withDetails(health.details())
                    .build();
        };
    }
}
