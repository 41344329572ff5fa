package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.leader.LeaderElection;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Health of elections for Spring Boot 4; {@link LeaderHealthConfiguration} does the same with the classes of Spring Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(LeaderElection.class)
@ConditionalOnEnabledHealthIndicator(LeaderHealth.NAME)
class LeaderHealthBoot4Configuration {

    @Bean(LeaderHealth.BEAN)
    @ConditionalOnMissingBean(name = LeaderHealth.BEAN)
    HealthContributor leaderElectionHealthContributor(ListableBeanFactory beanFactory, LockProperties properties) {
        Duration patience = properties.redis().commandTimeout();
        return CompositeHealthContributor.fromMap(
                LeaderHealth.elections(beanFactory), election -> indicator(election, patience));
    }

    private static HealthIndicator indicator(LeaderElection election, Duration patience) {
        return () -> Health.up()
                .withDetails(LeaderHealth.details(election, patience))
                .build();
    }
}
