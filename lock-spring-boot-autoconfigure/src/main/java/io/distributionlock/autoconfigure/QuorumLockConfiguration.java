package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.lettuce.core.RedisClient;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Locks over several independent Redis servers, for {@code executor=quorum}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
@ConditionalOnMissingBean(LockExecutor.class)
class QuorumLockConfiguration {

    private static final String PROPERTIES = LockProperties.PREFIX + ".quorum";

    @Bean
    LockConnections lockConnections(LockProperties properties) {
        return QuorumExecutors.connections(PROPERTIES, properties.quorum());
    }

    @Bean
    QuorumLockExecutor quorumLockExecutor(LockConnections connections, LockProperties properties) {
        return QuorumExecutors.executor(
                connections, properties.quorum(), properties.redis().keyPrefix(), properties);
    }
}
