package io.distributionlock.playground.timeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Work on one or more things.
 *
 * @param name the name of the work
 * @param things what is worked on
 * @param shared whether other shared sections may overlap it
 * @param locks the locks that are held; empty without a lock
 * @param entered when it began, in microseconds since 1970
 * @param left when it ended; null while it is running
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
     * A held lock.
     *
     * @param token its fencing token, as text because JavaScript cannot represent it exactly
     */
    record HeldLock(String name, String token) {}
}
