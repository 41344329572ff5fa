package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.observation.LocksEndpoint;
import io.distributionlock.observation.LocksWebExtension;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The actuator endpoint for locks. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAvailableEndpoint(LocksEndpoint.class)
class LockEndpointConfiguration {

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
    @ConditionalOnProperty(
            prefix = LockProperties.PREFIX,
            name = "endpoint.force-release.enabled",
            havingValue = "true")
    LocksWebExtension distributionLocksWebExtension(ListableBeanFactory beanFactory) {
        return new LocksWebExtension(
                () -> beanFactory.getBeansOfType(LockTemplate.class).values());
    }
}
