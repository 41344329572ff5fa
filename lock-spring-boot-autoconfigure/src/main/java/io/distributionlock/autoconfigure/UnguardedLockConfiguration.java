package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Disables all locks, for {@code enabled=false}; no backend is touched. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockExecutor.class)
class UnguardedLockConfiguration {

    @Bean
    UnguardedLockExecutor unguardedLockExecutor() {
        return new UnguardedLockExecutor();
    }
}
