package io.distributionlock.autoconfigure.property;

import io.distributionlock.internal.Internal;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Whether an application has set any property of this library. If not, there is nothing to bind or to check when it starts.
 *
 * @hidden
 */
@Internal
public final class SetProperties {

    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(LockProperties.PREFIX);

    private SetProperties() {}

    /** Also true where it cannot be known, because a source does not list its names. */
    public static boolean exist(Environment environment) {
        if (!(environment instanceof ConfigurableEnvironment)) {
            return true;
        }
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.containsDescendantOf(PREFIX) != ConfigurationPropertyState.ABSENT) {
                return true;
            }
        }
        return false;
    }
}
