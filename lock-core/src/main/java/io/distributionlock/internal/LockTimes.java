package io.distributionlock.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of waiting and holding times, and the messages for values outside of them.
 *
 * @hidden
 */
@Internal
public final class LockTimes {

    public static final Duration MAX_WAIT = Duration.ofNanos(Long.MAX_VALUE / 4);
    static final Duration MIN_HOLD = Duration.ofMillis(1);
    public static final Duration MAX_HOLD = Duration.ofDays(365);

    /**
     * What is configured or declared without a unit counts milliseconds, and may be meant as seconds. A lease of less than this would
     * end, or be renewed too late, at the next pause of the process.
     */
    public static final Duration MIN_CONFIGURED_HOLD = Duration.ofMillis(100);

    private static final String UNTIL_THE_END = "Leave it out to hold the lock until the work ends.";

    private LockTimes() {}

    public static void requireWait(String label, @Nullable Duration value) {
        if (value == null) {
            throw new UnfitValueException("%s is null.", "Leave it out to use the default.", label);
        }
        if (value.isNegative()) {
            throw new UnfitValueException(
                    "%s is " + shown(value) + ": a waiting time is zero (one attempt) or more.",
                    "Leave it out to use the default.",
                    label);
        }
        if (value.compareTo(MAX_WAIT) > 0) {
            throw new UnfitValueException(
                    "%s is " + shown(value) + ": the longest waiting time is LockRequest.FOREVER.",
                    "Use that to wait without limit.",
                    label);
        }
    }

    public static void requireHold(String label, @Nullable Duration value) {
        if (value == null) {
            throw new UnfitValueException("%s is null.", UNTIL_THE_END, label);
        }
        if (value.compareTo(MIN_HOLD) < 0) {
            throw new UnfitValueException(
                    "%s is " + shown(value) + ": a lock is held for at least 1 ms.", UNTIL_THE_END, label);
        }
        if (value.compareTo(MAX_HOLD) > 0) {
            throw new UnfitValueException(
                    "%s is " + shown(value) + ": a lock is held for at most 365 days.", UNTIL_THE_END, label);
        }
    }

    public static void requireWithin(String label, @Nullable Duration value) {
        if (value == null || value.compareTo(Duration.ZERO) <= 0 || value.compareTo(MAX_HOLD) > 0) {
            throw new UnfitValueException(
                    "%s is " + (value == null ? "null" : shown(value))
                            + ": repeats are refused for more than 0 ms and at most 365 days.",
                    "Set a time in between.",
                    label);
        }
    }

    /** A setting of an executor, which is calculated with. */
    public static void requireAtMost(Duration longest, String label, Duration value) {
        if (value.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    label + " is " + shown(value) + ": set it to at most " + longest.toDays() + " days.");
        }
    }

    /** In milliseconds if these are exact and readable, otherwise in ISO 8601. */
    public static String shown(Duration value) {
        boolean inMillis = Math.abs(value.toDays()) <= MAX_HOLD.toDays() && value.getNano() % 1_000_000 == 0;
        return inMillis ? value.toMillis() + " ms" : value.toString();
    }
}
