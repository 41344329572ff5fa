package io.distributionlock.autoconfigure.property;

import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import org.jspecify.annotations.Nullable;

/**
 * A property below {@code distribution-lock} that does not exist.
 *
 * @param name the name as written
 * @param origin the file and line, if known
 * @param cure what to do about it
 * @hidden
 */
@Internal
public record UnknownProperty(String name, @Nullable String origin, String cure) {

    public String description() {
        return "'" + MessageText.of(name) + "'" + (origin == null ? "" : " (" + MessageText.of(origin) + ")")
                + " does not exist.";
    }
}
