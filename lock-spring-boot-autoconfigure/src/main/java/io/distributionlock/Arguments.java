package io.distributionlock;

import org.jspecify.annotations.Nullable;

/** Rejects {@code null} before any lock is requested. */
final class Arguments {

    private Arguments() {}

    /** @param place the argument and its method, such as {@code "the work of LockTemplate.execute"} */
    static <T> T require(String place, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    Character.toUpperCase(place.charAt(0)) + place.substring(1) + " is null. Pass a value.");
        }
        return value;
    }
}
