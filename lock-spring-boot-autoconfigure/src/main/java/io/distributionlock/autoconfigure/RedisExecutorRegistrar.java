package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Registers the executor that keeps locks in one Redis, which is the default, unless the application has one. */
class RedisExecutorRegistrar implements ImportBeanDefinitionRegistrar {

    private static final Log log = LogFactory.getLog(RedisExecutorRegistrar.class);

    private final ConfigurableListableBeanFactory beanFactory;

    RedisExecutorRegistrar(BeanFactory beanFactory) {
        this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        if (!MadeBeans.has(beanFactory, LockExecutor.class)
                && MadeBeans.has(beanFactory, RedisConnectionFactory.class)) {
            MadeBeans.register(registry, RedisExecutorRegistrar.class, "redisLockExecutor", RedisLockExecutor.class);
        }
    }

    static RedisLockExecutor redisLockExecutor(BeanFactory beans, LockProperties properties) {
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
