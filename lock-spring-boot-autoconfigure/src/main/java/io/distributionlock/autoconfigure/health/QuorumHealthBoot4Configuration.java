package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.LockProperties;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Gives {@link QuorumHealth} the types of Spring Boot 4, as {@link QuorumHealthConfiguration} those of Spring Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator(LockHealthAutoConfiguration.NAME)
class QuorumHealthBoot4Configuration {

    @Bean(LockHealthAutoConfiguration.BEAN)
    @ConditionalOnMissingBean(name = LockHealthAutoConfiguration.BEAN)
    HealthContributor distributionLockHealthContributor(ListableBeanFactory beanFactory, LockProperties properties) {
        return CompositeHealthContributor.fromMap(
                QuorumHealth.ofAll(beanFactory, properties), QuorumHealthBoot4Configuration::indicator);
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
