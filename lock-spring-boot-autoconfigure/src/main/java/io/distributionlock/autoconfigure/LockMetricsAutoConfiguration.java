package io.distributionlock.autoconfigure;

import io.distributionlock.observation.EngineMeters;
import io.distributionlock.observation.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the meters of locks, if the application has a registry for them. */
@AutoConfiguration(
        after = DistributionLockAutoConfiguration.class,
        afterName = {
            // The names before and since Spring Boot 4.
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class LockMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockMeters lockMeters(ObjectProvider<MeterRegistry> registry) {
        return new LockMeters(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    static EngineMeters lockEngineMeters(ObjectProvider<MeterRegistry> registry) {
        return new EngineMeters(registry);
    }
}
