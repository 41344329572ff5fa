package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Keeps locks in Redis, unless the application has an executor of its own or asks for another. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(StringRedisTemplate.class)
@ConditionalOnMissingBean(LockExecutor.class)
@ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "redis", matchIfMissing = true)
class RedisLockConfiguration {

    @Bean
    @ConditionalOnBean(StringRedisTemplate.class)
    RedisLockExecutor redisLockExecutor(StringRedisTemplate template, LockProperties properties) {
        LockProperties.Redis redis = properties.redis();
        return new RedisLockExecutor(template, redis.keyPrefix(), properties.toEngineSettings(), redis.toReplicaAcks());
    }
}
