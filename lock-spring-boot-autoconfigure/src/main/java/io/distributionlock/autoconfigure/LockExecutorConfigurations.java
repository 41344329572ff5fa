package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.RedisLockExecutor;
import io.lettuce.core.RedisClient;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The default executor of an application that has none of its own. */
class LockExecutorConfigurations {

    /** The name of each of them: an application has at most one. */
    static final String EXECUTOR = "distributionLockExecutor";

    private static final Log log = LogFactory.getLog(LockExecutorConfigurations.class);

    private LockExecutorConfigurations() {}

    /** The kill switch: no backend is touched. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(LockExecutor.class)
    @ConditionalOnSwitch(value = "enabled", havingValue = false, defaultValue = true)
    static class Unguarded {

        @Bean(EXECUTOR)
        @Lazy
        UnguardedLockExecutor distributionLockExecutor() {
            return new UnguardedLockExecutor();
        }
    }

    /** Locks in one Redis, the default. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    @ConditionalOnProperty(
            prefix = LockProperties.PREFIX,
            name = "executor",
            havingValue = "redis",
            matchIfMissing = true)
    @ConditionalOnBean(RedisConnectionFactory.class)
    @ConditionalOnMissingBean(LockExecutor.class)
    static class Redis {

        @Bean(EXECUTOR)
        @Lazy
        RedisLockExecutor distributionLockExecutor(BeanFactory beans, LockProperties properties) {
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

    /** Locks in several independent Redis servers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
    @ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "quorum")
    @ConditionalOnMissingBean(LockExecutor.class)
    static class Quorum {

        @Bean
        @Lazy
        LockConnections distributionLockConnections(LockProperties properties, ObjectProvider<SslBundles> bundles) {
            return LockConnections.of(LockProperties.PREFIX + ".quorum", properties.quorum(), bundles);
        }

        @Bean(EXECUTOR)
        @Lazy
        QuorumLockExecutor distributionLockExecutor(LockConnections connections, LockProperties properties) {
            return executor(connections, properties.quorum(), properties.redis().keyPrefix(), properties);
        }

        static QuorumLockExecutor executor(
                LockConnections connections,
                LockProperties.Quorum quorum,
                String keyPrefix,
                LockProperties properties) {
            List<QuorumNode> nodes = connections.templates().entrySet().stream()
                    .map(server -> new QuorumNode(server.getKey(), server.getValue()))
                    .toList();
            log.info("Locks are kept in a quorum of the Redis servers " + connections.places()
                    + ", under keys that start with '" + keyPrefix + ":'");
            return new QuorumLockExecutor(nodes, quorum.toSettings(), keyPrefix, properties.toEngineSettings());
        }
    }

    /** Locks inside this process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "local")
    @ConditionalOnMissingBean(LockExecutor.class)
    static class Local {

        @Bean(EXECUTOR)
        @Lazy
        LocalLockExecutor distributionLockExecutor(LockProperties properties) {
            return new LocalLockExecutor(properties.toEngineSettings(), new LocalBackend());
        }
    }
}
