package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The default executor of an application that has none of its own. */
class LockExecutorConfigurations {

    /** The name of each of them: an application has at most one. */
    static final String EXECUTOR = "distributionLockExecutor";

    private LockExecutorConfigurations() {}

    /** What makes executors in Redis, for the application too. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    static class InRedis {

        @Bean
        OpenConnections distributionLockConnections() {
            return new OpenConnections();
        }

        @Bean
        @Lazy
        LockExecutors distributionLockExecutors(
                LockProperties properties, OpenConnections connections, ObjectProvider<SslBundles> bundles) {
            return new LockExecutors(properties, connections, bundles);
        }
    }

    /** The kill switch: no backend is touched. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(value = LockExecutor.class, name = EXECUTOR)
    @ConditionalOnSwitch(value = "enabled", havingValue = false, defaultValue = true)
    static class Unguarded {

        @Bean(EXECUTOR)
        @Lazy
        UnguardedLockExecutor distributionLockExecutor() {
            return new UnguardedLockExecutor();
        }
    }

    /** Locks in one Redis, over the {@link StringRedisTemplate} of the application: the default. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    @ConditionalOnProperty(
            prefix = LockProperties.PREFIX,
            name = "executor",
            havingValue = "redis",
            matchIfMissing = true)
    @Conditional(OnRedis.class)
    @ConditionalOnMissingBean(value = LockExecutor.class, name = EXECUTOR)
    static class Redis {

        @Bean(EXECUTOR)
        @Lazy
        RedisLockExecutor distributionLockExecutor(
                ListableBeanFactory beans, LockExecutors executors, LockProperties properties) {
            return executors.redis(new RedisTemplateSelector(beans).select(properties.redis()));
        }
    }

    /** Matches if there is a template or what one can be made of. */
    static class OnRedis extends AnyNestedCondition {

        OnRedis() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(StringRedisTemplate.class)
        static class OnTemplate {}

        @ConditionalOnBean(RedisConnectionFactory.class)
        static class OnConnectionFactory {}
    }

    /** Locks in several independent Redis servers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
    @ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "quorum")
    @ConditionalOnMissingBean(value = LockExecutor.class, name = EXECUTOR)
    static class Quorum {

        @Bean(EXECUTOR)
        @Lazy
        QuorumLockExecutor distributionLockExecutor(LockExecutors executors) {
            return executors.quorum();
        }
    }

    /** Locks inside this process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "local")
    @ConditionalOnMissingBean(value = LockExecutor.class, name = EXECUTOR)
    static class Local {

        @Bean(EXECUTOR)
        @Lazy
        LocalLockExecutor distributionLockExecutor(LockProperties properties) {
            return new LocalLockExecutor(properties.toEngineSettings(), new LocalBackend());
        }
    }
}
