package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Locks inside this process, for {@code executor=local}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockExecutor.class)
class LocalLockConfiguration {

    @Bean
    LocalLockExecutor localLockExecutor(LockProperties properties) {
        return new LocalLockExecutor(properties.toEngineSettings(), new LocalBackend());
    }
}
