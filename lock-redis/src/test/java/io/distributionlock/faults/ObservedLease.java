package io.distributionlock.faults;

import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.ReleaseResult;
import org.jspecify.annotations.Nullable;

/** A lease, and a record of when it was seen valid. For one thread at a time. */
final class ObservedLease {

    private final Lease lease;
    private final String who;
    private final long calledAt;
    private long returnedAt;
    private long validFrom = Long.MAX_VALUE;
    private long validUntil = Long.MIN_VALUE;
    private @Nullable ReleaseResult released;

    /**
     * As below, and draws the token.
     *
     * @param who the thread, without spaces
     * @param calledAt {@link System#nanoTime()} before the lock was asked for
     */
    ObservedLease(Lease lease, String who, long calledAt) {
        this(lease, who, calledAt, true);
    }

    /** @param draws whether to draw the token now, as long as the lock is held for sure */
    ObservedLease(Lease lease, String who, long calledAt, boolean draws) {
        this.lease = lease;
        this.who = who;
        this.calledAt = calledAt;
        // Between two looks it was valid for sure.
        isValid();
        isValid();
        this.returnedAt = System.nanoTime();
        if (draws) {
            drawToken();
        }
    }

    /** If it cannot be drawn, the lease counts as one without a token. */
    void drawToken() {
        try {
            lease.fencingToken();
        } catch (IllegalStateException | LockBackendException e) {
            isValid();
        }
        synchronized (this) {
            returnedAt = System.nanoTime();
        }
    }

    Lease lease() {
        return lease;
    }

    long token() {
        return lease.fencingToken();
    }

    synchronized boolean isValid() {
        long before = System.nanoTime();
        boolean valid = lease.isValid();
        if (valid) {
            validFrom = Math.min(validFrom, System.nanoTime());
            validUntil = Math.max(validUntil, before);
        }
        return valid;
    }

    ReleaseResult release() {
        isValid();
        long before = System.nanoTime();
        ReleaseResult result = lease.release();
        synchronized (this) {
            released = result;
            if (result == ReleaseResult.RELEASED) {
                // Who says so has held the lock until the release was called.
                validUntil = Math.max(validUntil, before);
            }
        }
        return result;
    }

    /** What has been seen so far. */
    synchronized Turn turn() {
        return new Turn(
                lease.name(),
                who,
                lease.knownFencingToken().orElse(0),
                calledAt,
                returnedAt,
                validFrom,
                validUntil,
                released);
    }
}
