package io.distributionlock.autoconfigure.property;

import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Fails the start because properties are set that do not exist.
 *
 * @hidden
 */
@Internal
public class UnknownPropertiesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<UnknownProperty> properties;

    UnknownPropertiesException(List<UnknownProperty> properties) {
        super(properties.stream()
                .map(property -> "The property " + property.description() + " " + property.cure())
                .collect(Collectors.joining(System.lineSeparator())));
        this.properties = List.copyOf(properties);
    }

    public List<UnknownProperty> properties() {
        return properties;
    }
}
