package io.distributionlock;

import io.distributionlock.internal.LockTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of a {@link LockRequest}.
 *
 * @param tryLockTime how long an attempt waits for the lock; zero makes a single attempt
 * @param leaseTime the length of a renewed lease
 * @param maxHoldTime how long a renewed lock may be held, or {@code null} for no limit
 * @param confirmRelease whether work ends only when the backend has answered the release; see {@link LockRequest#confirmRelease()}
 */
public record LockDefaults(
        Duration tryLockTime, Duration leaseTime, @Nullable Duration maxHoldTime, boolean confirmRelease) {

    /** Waits 5 seconds, holds leases of 60 seconds that are renewed without limit, and confirms each release. */
    public static final LockDefaults STANDARD = new LockDefaults(Duration.ofSeconds(5), Duration.ofSeconds(60), null);

    /** Defaults that confirm each release. */
    public LockDefaults(Duration tryLockTime, Duration leaseTime, @Nullable Duration maxHoldTime) {
        this(tryLockTime, leaseTime, maxHoldTime, true);
    }

    /**
     * @throws IllegalArgumentException if a time is out of its range, naming it
     */
    public LockDefaults {
        LockTimes.requireWait("tryLockTime", tryLockTime);
        LockTimes.requireHold("leaseTime", leaseTime);
        if (maxHoldTime != null) {
            LockTimes.requireHold("maxHoldTime", maxHoldTime);
        }
    }
}
