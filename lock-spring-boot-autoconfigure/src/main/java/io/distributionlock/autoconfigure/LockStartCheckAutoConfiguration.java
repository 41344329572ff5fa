package io.distributionlock.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Auto-configuration that fails the start if locks cannot be acquired, if asked to. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass(StringRedisTemplate.class)
@ConditionalOnSwitch(value = "redis.check-on-start", defaultValue = false)
public final class LockStartCheckAutoConfiguration {

    @Bean
    LockStartCheck distributionLockStartCheck(ListableBeanFactory beanFactory, LockProperties properties) {
        return new LockStartCheck(beanFactory, properties);
    }
}
