package io.distributionlock.autoconfigure;

import io.distributionlock.MessageText;
import org.jspecify.annotations.Nullable;

/**
 * A property below {@code distribution-lock} that does not exist.
 *
 * @param name the name as written
 * @param origin the file and line, if known
 * @param cure what to do about it
 */
record UnknownProperty(String name, @Nullable String origin, String cure) {

    String description() {
        return "'" + MessageText.of(name) + "'" + (origin == null ? "" : " (" + MessageText.of(origin) + ")")
                + " does not exist.";
    }
}
