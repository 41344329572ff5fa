package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.observation.LocksEndpoint;
import io.distributionlock.observation.LocksWebExtension;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
        return new LocksWebExtension(() -> templates(beanFactory));
    }

    /** The monitors of the application, and one for each executor without any. */
    private static Collection<LockTemplate> templates(ListableBeanFactory beans) {
        List<LockTemplate> templates =
                new ArrayList<>(beans.getBeansOfType(LockTemplate.class).values());
        Set<Object> reached = new HashSet<>();
        templates.forEach(template -> reached.add(template.executor().backend()));
        for (LockExecutor executor : beans.getBeansOfType(LockExecutor.class).values()) {
            if (reached.add(executor.backend())) {
                templates.add(beans.getBean(LockTemplateConfigurer.class).over(executor));
            }
        }
        return templates;
    }
}
