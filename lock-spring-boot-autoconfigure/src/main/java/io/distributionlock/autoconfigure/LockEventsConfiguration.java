package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.observation.LockEventPublisher;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Publishes lock events, unless that is disabled. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "events.enabled", matchIfMissing = true)
class LockEventsConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockEventPublisher lockEventPublisher(ConfigurableApplicationContext context) {
        return new LockEventPublisher(context);
    }
}
