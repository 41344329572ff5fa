package io.distributionlock.autoconfigure;

import io.distributionlock.MessageText;
import org.jspecify.annotations.Nullable;

/**
 * A property below {@code distribution-lock} that does not exist.
 *
 * @param name as it was written
 * @param origin the file and the line, or what else is known
 * @param cure what to do about it
 */
record UnknownProperty(String name, @Nullable String origin, String cure) {

    String description() {
        return "'" + MessageText.of(name) + "'" + (origin == null ? "" : " (" + MessageText.of(origin) + ")")
                + " does not exist.";
    }
}
