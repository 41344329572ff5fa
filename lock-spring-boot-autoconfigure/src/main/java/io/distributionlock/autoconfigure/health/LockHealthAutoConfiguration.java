package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.lettuce.core.RedisClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Auto-configuration for the health of the nodes of a quorum. A single Redis has the health indicator of Spring Boot. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass({StringRedisTemplate.class, RedisClient.class})
@Conditional(OnQuorum.class)
@Import({QuorumHealthConfiguration.class, QuorumHealthBoot4Configuration.class})
public final class LockHealthAutoConfiguration {

    /** The name of the contributor, which is part of its switch {@code management.health.distribution-lock.enabled}. */
    static final String NAME = "distribution-lock";

    static final String BEAN = "distributionLockHealthContributor";
}
