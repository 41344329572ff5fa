package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Health of the nodes of a quorum, and of elections: who leads. A single Redis has the health indicator of Spring Boot.
 */
@AutoConfiguration(after = DistributionLockAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.endpoint.annotation.Endpoint")
@Lazy
@Import(LockHealthAutoConfiguration.OfThisSpringBoot.class)
public class LockHealthAutoConfiguration {

    /** The name of the contributor, which is part of its switch {@code management.health.distribution-lock.enabled}. */
    static final String NAME = "distribution-lock";

    static final String BEAN = "distributionLockHealthContributor";

    /** Imports what fits the classes for health, which have moved between the versions of Spring Boot, or nothing. */
    static class OfThisSpringBoot implements ImportSelector {

        private static final String BOOT_3 = "org.springframework.boot.actuate.";
        private static final String BOOT_4 = "org.springframework.boot.health.";

        private final @Nullable ClassLoader classLoader;

        OfThisSpringBoot(@Nullable ClassLoader classLoader) {
            this.classLoader = classLoader;
        }

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            if (has(BOOT_3 + "health.HealthContributor")
                    && has(BOOT_3 + "autoconfigure.health.ConditionalOnEnabledHealthIndicator")) {
                return new String[] {
                    QuorumHealthConfiguration.class.getName(), LeaderHealthConfiguration.class.getName()
                };
            }
            if (has(BOOT_4 + "contributor.HealthContributor")
                    && has(BOOT_4 + "autoconfigure.contributor.ConditionalOnEnabledHealthIndicator")) {
                return new String[] {
                    QuorumHealthBoot4Configuration.class.getName(), LeaderHealthBoot4Configuration.class.getName()
                };
            }
            return new String[0];
        }

        private boolean has(String type) {
            return ClassUtils.isPresent(type, classLoader);
        }
    }
}
