package io.distributionlock.internal;

import org.jspecify.annotations.Nullable;

/**
 * Rejects {@code null} before any lock is requested.
 *
 * @hidden
 */
@Internal
public final class Arguments {

    private Arguments() {}

    /** @param place the argument and its method, such as {@code "the work of LockTemplate.execute"} */
    public static <T> T require(String place, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    Character.toUpperCase(place.charAt(0)) + place.substring(1) + " is null. Pass a value.");
        }
        return value;
    }
}
