package io.distributionlock.autoconfigure;

import io.distributionlock.LockTemplate;

/**
 * Changes the {@link LockTemplate} that the auto-configuration makes, and so the locks of annotated methods as well. All beans of
 * this type are called, in their order, once the properties were applied.
 */
@FunctionalInterface
public interface LockTemplateCustomizer {

    /** Changes what the template is going to be. */
    void customize(LockTemplate.Builder template);
}
