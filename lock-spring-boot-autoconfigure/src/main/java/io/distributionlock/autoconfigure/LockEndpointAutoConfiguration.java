package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.observation.LocksEndpoint;
import io.distributionlock.observation.LocksWebExtension;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the actuator endpoint of locks. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
public final class LockEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint distributionLocksEndpoint(ListableBeanFactory beanFactory, LockProperties properties) {
        return new LocksEndpoint(
                () -> beanFactory.getBeansOfType(LockMonitor.class),
                () -> beanFactory.getBeansOfType(LeaderElection.class).values(),
                properties.enabled());
    }

    @Bean
    @ConditionalOnBean(LocksEndpoint.class)
    @ConditionalOnMissingBean
    @ConditionalOnSwitch(value = "endpoint.force-release.enabled", defaultValue = false)
    LocksWebExtension distributionLocksWebExtension(ListableBeanFactory beanFactory) {
        return new LocksWebExtension(
                () -> beanFactory.getBeansOfType(LockTemplate.class).values());
    }
}
