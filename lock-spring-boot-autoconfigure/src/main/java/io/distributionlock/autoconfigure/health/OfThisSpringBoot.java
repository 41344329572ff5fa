package io.distributionlock.autoconfigure.health;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** Imports what fits the classes for health, which have moved between the versions of Spring Boot, or nothing. */
abstract class OfThisSpringBoot implements ImportSelector {

    private static final String BOOT_3 = "org.springframework.boot.actuate.";
    private static final String BOOT_4 = "org.springframework.boot.health.";

    private final @Nullable ClassLoader classLoader;

    OfThisSpringBoot(@Nullable ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    /** Asked only for what is imported, so that the other one is not loaded. */
    abstract Class<?> forBoot3();

    abstract Class<?> forBoot4();

    @Override
    public String[] selectImports(AnnotationMetadata importing) {
        if (has(BOOT_3 + "health.HealthContributor")
                && has(BOOT_3 + "autoconfigure.health.ConditionalOnEnabledHealthIndicator")) {
            return new String[] {forBoot3().getName()};
        }
        if (has(BOOT_4 + "contributor.HealthContributor")
                && has(BOOT_4 + "autoconfigure.contributor.ConditionalOnEnabledHealthIndicator")) {
            return new String[] {forBoot4().getName()};
        }
        return new String[0];
    }

    private boolean has(String type) {
        return ClassUtils.isPresent(type, classLoader);
    }
}
