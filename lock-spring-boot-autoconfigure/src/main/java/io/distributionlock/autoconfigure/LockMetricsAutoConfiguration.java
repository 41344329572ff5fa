package io.distributionlock.autoconfigure;

import io.distributionlock.observation.BypassCounter;
import io.distributionlock.observation.OvertakenCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for what is counted besides the observations, if the application has a registry for it. */
@AutoConfiguration(
        afterName = {
            // The names before and since Spring Boot 4.
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class LockMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    BypassCounter distributionLockBypassCounter(MeterRegistry registry) {
        return new BypassCounter(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    OvertakenCounter distributionLockOvertakenCounter(MeterRegistry registry) {
        return new OvertakenCounter(registry);
    }
}
