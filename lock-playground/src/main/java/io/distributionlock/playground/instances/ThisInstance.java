package io.distributionlock.playground.instances;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code playground.*} about the instance itself.
 *
 * @param instance the unique name of this instance, in the database and on the page
 */
@ConfigurationProperties("playground")
public record ThisInstance(@DefaultValue("localhost") String instance) {

    /** Refuses an empty name. */
    public ThisInstance {
        if (instance.isBlank()) {
            throw new IllegalArgumentException(
                    "playground.instance is blank, but must be a name that no other instance has, such as localhost:8080");
        }
    }

    /** The name of this instance. */
    public String name() {
        return instance;
    }
}
