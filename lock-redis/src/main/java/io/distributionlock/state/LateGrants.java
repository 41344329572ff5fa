package io.distributionlock.state;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.LockTimes;
import java.time.Duration;

/**
 * The grants of one queue since an answer was last in time: the lease of each was over when it arrived. One is late after an outage.
 * After several, the hold time is known to be shorter than the way to the backend and back, and asking again is in vain.
 */
final class LateGrants {

    private static final int ENOUGH = 3;

    private int count;

    private long latestAt = Long.MIN_VALUE;

    /** How long the answer of the latest took. */
    private long answerNanos;

    /** Grants that were requested before the latest was known are late for the same reason, and count as one. */
    void add(long sentAt, long answeredAt) {
        if (sentAt >= latestAt) {
            count++;
        }
        latestAt = answeredAt;
        answerNanos = answeredAt - sentAt;
    }

    boolean areEnough() {
        return count >= ENOUGH;
    }

    /** Whether the latest would have been too late for this waiter, too. */
    boolean concern(Waiter waiter) {
        return waiter.holdNanos() <= answerNanos;
    }

    LockOutcome.BackendFailed outcome(Waiter waiter, long now) {
        LockRequest request = waiter.request;
        String time = request.renewed() ? "distribution-lock.defaults.lease-time" : "holdLockTime";
        return new LockOutcome.BackendFailed(
                waiter.waited(now),
                new BackendProblemException(
                        "The lock was acquired, but its lease was over before this was known: " + time + " is "
                                + LockTimes.shown(request.leaseTime()) + ", and the answer took "
                                + Duration.ofNanos(answerNanos).toMillis() + " ms.",
                        "Set a longer " + time + ", by far longer than an answer and the work take"
                                + (request.renewed() ? "." : ", or leave it out, so that the lease is renewed."),
                        null,
                        true));
    }
}
