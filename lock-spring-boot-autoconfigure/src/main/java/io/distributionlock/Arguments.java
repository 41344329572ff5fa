package io.distributionlock;

import org.jspecify.annotations.Nullable;

/** Refuses {@code null} before anything is locked for it. */
final class Arguments {

    private Arguments() {}

    /** @param place the method, and what it takes, such as {@code "the work of LockTemplate.execute"} */
    static <T> T require(String place, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    Character.toUpperCase(place.charAt(0)) + place.substring(1) + " is null. Pass a value.");
        }
        return value;
    }
}
