package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.property.LockProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Disables all locks, for {@code enabled=false}; no backend is touched. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockExecutor.class)
@ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "enabled", havingValue = "false")
class UnguardedLockConfiguration {

    @Bean
    UnguardedLockExecutor unguardedLockExecutor() {
        return new UnguardedLockExecutor();
    }
}
