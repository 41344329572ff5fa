package io.distributionlock;

/**
 * Customizes the auto-configured {@link LockTemplate}, which annotated methods use as well. All beans of this type are called in order,
 * after the properties were applied.
 */
@FunctionalInterface
public interface LockTemplateCustomizer {

    /** Customizes the builder of the template. */
    void customize(LockTemplate.Builder template);
}
