package io.distributionlock.autoconfigure;

import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.observation.EngineMeters;
import io.distributionlock.observation.LockMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters for locks, if Micrometer is there. */
@Configuration(proxyBeanMethods = false)
class LockMetersConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockMeters lockMeters(ObjectProvider<MeterRegistry> registry) {
        return new LockMeters(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    EngineMeters lockEngineMeters(ListableBeanFactory beanFactory) {
        return new EngineMeters(() -> beanFactory.getBeansOfType(LockMonitor.class));
    }
}
