package io.distributionlock.sample.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some work on one or more things.
 *
 * @param name what is done
 * @param things what is worked on
 * @param shared whether others that share may be at it as well
 * @param locks the locks that are held, none if it is done without
 * @param entered when it began, in microseconds since 1970
 * @param left when it ended, null while it goes on
 */
record Section(
        String name,
        List<String> things,
        boolean shared,
        List<HeldLock> locks,
        long entered,
        @Nullable Long left) {

    Section endedAt(long time) {
        return new Section(name, things, shared, locks, entered, time);
    }

    /**
     * A lock that is held.
     *
     * @param token its fencing token, as text because it is larger than what JavaScript counts exactly
     */
    record HeldLock(String name, String token) {}
}
