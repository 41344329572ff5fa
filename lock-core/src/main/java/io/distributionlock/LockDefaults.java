package io.distributionlock;

import io.distributionlock.internal.Arguments;
import io.distributionlock.internal.LockTimes;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of a {@link LockRequest}.
 *
 * @param tryLockTime how long an attempt waits for the lock; zero makes a single attempt
 * @param leaseTime the length of a renewed lease
 * @param maxHoldTime how long a renewed lock may be held, or {@code null} for no limit
 * @param confirmRelease whether work ends only when the backend has answered the release; see {@link LockRequest#confirmRelease()}
 * @param commitGuard how the lease of an exclusive lock is checked before a commit
 */
public record LockDefaults(
        Duration tryLockTime,
        Duration leaseTime,
        @Nullable Duration maxHoldTime,
        boolean confirmRelease,
        CommitGuard commitGuard) {

    /** Waits 5 seconds, holds leases of 60 seconds that are renewed without limit, and confirms each release. */
    public static final LockDefaults STANDARD = new LockDefaults(Duration.ofSeconds(5), Duration.ofSeconds(60), null);

    /** Defaults that confirm each release. */
    public LockDefaults(Duration tryLockTime, Duration leaseTime, @Nullable Duration maxHoldTime) {
        this(tryLockTime, leaseTime, maxHoldTime, true);
    }

    /** Defaults that check leases by the local clock. */
    public LockDefaults(
            Duration tryLockTime, Duration leaseTime, @Nullable Duration maxHoldTime, boolean confirmRelease) {
        this(tryLockTime, leaseTime, maxHoldTime, confirmRelease, CommitGuard.LOCAL);
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
        if (Arguments.require("commitGuard", commitGuard) == CommitGuard.DEFAULT) {
            throw new IllegalArgumentException(
                    "commitGuard is DEFAULT, which stands for what is set here. Use LOCAL, REMOTE or DATABASE.");
        }
    }

    /** Nothing tells which transactions belong to a lease. The default does not reach it. */
    void requireGuardOfLease(LockRequest request) {
        Arguments.require("the request for a lock", request);
        if (request.commitGuard() == CommitGuard.DATABASE && commitGuard != CommitGuard.DATABASE) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(request.name())
                    + "' has commitGuard DATABASE, which guards the work of execute and its siblings, but no lease that is acquired. Use"
                    + " execute, or another guard.");
        }
    }
}
