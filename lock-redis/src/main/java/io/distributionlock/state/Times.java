package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Arithmetic on the engine's clock: nanoseconds since the engine was created, never negative.
 *
 * @hidden
 */
@Internal
public final class Times {

    public static final long NEVER = Long.MAX_VALUE;

    private Times() {}

    /** The moment this long after another, or {@link #NEVER} if that overflows. */
    public static long after(long moment, long nanos) {
        long sum = moment + nanos;
        return sum < 0 ? NEVER : sum;
    }

    public static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Whole milliseconds that cover these nanoseconds. */
    static long coveringMillis(long nanos) {
        return Math.floorDiv(nanos + 999_999, 1_000_000L);
    }

    public static Duration between(long start, long end) {
        return Duration.ofNanos(Math.max(0, end - start));
    }
}
