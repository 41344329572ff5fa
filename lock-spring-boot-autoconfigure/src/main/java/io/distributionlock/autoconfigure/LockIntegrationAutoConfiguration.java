package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;
import io.distributionlock.integration.DistributionLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.support.locks.LockRegistry;

/** A lock registry for Spring Integration, unless the application has one. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
public final class LockIntegrationAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnBean(LockTemplate.class)
    @ConditionalOnMissingBean(LockRegistry.class)
    DistributionLockRegistry distributionLockRegistry(LockTemplate template) {
        return new DistributionLockRegistry(template);
    }
}
