package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Locks in one Redis, which is the default. */
@Configuration(proxyBeanMethods = false)
@Lazy
@ConditionalOnClass(StringRedisTemplate.class)
@ConditionalOnMissingBean(LockExecutor.class)
class RedisLockConfiguration {

    private static final Log log = LogFactory.getLog(RedisLockConfiguration.class);

    @Bean
    @ConditionalOnBean(RedisConnectionFactory.class)
    RedisLockExecutor redisLockExecutor(BeanFactory beans, LockProperties properties) {
        LockProperties.Redis redis = properties.redis();
        RedisConnectionFactory factory = LockConnectionFactory.of(beans, redis.connectionFactory());
        log.info("Locks are kept in Redis at " + RedisAddress.of(factory) + ", under keys that start with '"
                + redis.keyPrefix() + ":'");
        return new RedisLockExecutor(
                new StringRedisTemplate(factory),
                redis.keyPrefix(),
                properties.toEngineSettings(),
                redis.toReplicaAcks(),
                redis.toMessageSettings());
    }
}
