package io.distributionlock;

import io.distributionlock.internal.AnsweredAsUnavailable;
import io.distributionlock.internal.MessageText;
import java.time.Duration;

/** The thread was interrupted while it waited for the lock. Its interrupt flag is set again. */
@AnsweredAsUnavailable
public class LockInterruptedException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1L;

    LockInterruptedException(String lockName, Duration waited) {
        super(
                lockName,
                LockFailureReason.INTERRUPTED,
                waited,
                "Interrupted after " + waited.toMillis() + " ms of waiting for lock '" + MessageText.of(lockName)
                        + "', which was not acquired.",
                null);
    }

    LockInterruptedException(String lockName, Duration waited, String message) {
        super(lockName, LockFailureReason.INTERRUPTED, waited, message, null);
    }
}
