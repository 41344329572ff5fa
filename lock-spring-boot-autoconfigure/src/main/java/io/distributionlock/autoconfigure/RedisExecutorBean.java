package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The executor that keeps locks in one Redis, which is the default. */
final class RedisExecutorBean {

    private RedisExecutorBean() {}

    /** Registers it if the application has a Redis. */
    static boolean register(BeanDefinitionRegistry registry, ConfigurableListableBeanFactory beanFactory) {
        if (!MadeBeans.has(beanFactory, RedisConnectionFactory.class)) {
            return false;
        }
        MadeBeans.register(registry, RedisExecutorBean.class, "redisLockExecutor", RedisLockExecutor.class);
        return true;
    }

    static RedisLockExecutor redisLockExecutor(BeanFactory beans, LockProperties properties) {
        LockProperties.Redis redis = properties.redis();
        RedisConnectionFactory factory = LockConnectionFactory.of(beans, redis.connectionFactory());
        LogFactory.getLog(RedisExecutorBean.class)
                .info("Locks are kept in Redis at " + RedisAddress.of(factory) + ", under keys that start with '"
                        + redis.keyPrefix() + ":'");
        return new RedisLockExecutor(
                new StringRedisTemplate(factory),
                redis.keyPrefix(),
                properties.toEngineSettings(),
                redis.toReplicaAcks(),
                redis.toMessageSettings());
    }
}
