package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/** Auto-configuration for the health of the nodes of a quorum. A single Redis has the health indicator of Spring Boot. */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
// The classes for health have moved in Spring Boot 4.
@Import({QuorumHealthConfiguration.class, QuorumHealthBoot4Configuration.class})
public class LockHealthAutoConfiguration {

    /** The name of the contributor, which is part of its switch {@code management.health.distribution-lock.enabled}. */
    static final String NAME = "distribution-lock";

    static final String BEAN = "distributionLockHealthContributor";
}
