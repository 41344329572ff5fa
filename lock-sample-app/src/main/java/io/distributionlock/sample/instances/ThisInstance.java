package io.distributionlock.sample.instances;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code sample.*}, as far as it is about the instance itself.
 *
 * @param instance how this instance calls itself, in what it writes down and on the page; no two may have the same name
 */
@ConfigurationProperties("sample")
public record ThisInstance(@DefaultValue("localhost") String instance) {

    /** Refuses an empty name. */
    public ThisInstance {
        if (instance.isBlank()) {
            throw new IllegalArgumentException(
                    "sample.instance is blank, but must be a name that no other instance has, such as localhost:8080");
        }
    }

    /** How this instance calls itself. */
    public String name() {
        return instance;
    }
}
