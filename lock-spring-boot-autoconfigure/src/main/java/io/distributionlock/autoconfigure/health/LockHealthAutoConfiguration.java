package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.lettuce.core.RedisClient;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Health of the nodes of a quorum. A single Redis has the health indicator of Spring Boot.
 */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@Lazy
@ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
@Import(LockHealthAutoConfiguration.Quorums.class)
public class LockHealthAutoConfiguration {

    /** The name of the contributor, which is part of its switch {@code management.health.distribution-lock.enabled}. */
    static final String NAME = "distribution-lock";

    static final String BEAN = "distributionLockHealthContributor";

    static class Quorums extends OfThisSpringBoot {

        Quorums(@Nullable ClassLoader classLoader) {
            super(classLoader);
        }

        @Override
        Class<?> forBoot3() {
            return QuorumHealthConfiguration.class;
        }

        @Override
        Class<?> forBoot4() {
            return QuorumHealthBoot4Configuration.class;
        }
    }
}
