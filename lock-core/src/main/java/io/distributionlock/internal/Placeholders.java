package io.distributionlock.internal;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Replaces {@code ${…}} in the attributes of annotations.
 *
 * @hidden
 */
@Internal
public final class Placeholders {

    private final ConfigurableBeanFactory beanFactory;

    public Placeholders(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * @throws IllegalArgumentException if a placeholder has no value
     */
    public String resolve(String text) {
        if (!text.contains("${")) {
            return text;
        }
        String resolved = beanFactory.resolveEmbeddedValue(text);
        if (resolved == null || resolved.contains("${")) {
            // A context without a configurer leaves unknown placeholders in place.
            throw new IllegalArgumentException("Could not resolve '" + text + "'");
        }
        return resolved;
    }
}
