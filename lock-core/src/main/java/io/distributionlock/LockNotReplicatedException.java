package io.distributionlock;

import io.distributionlock.internal.MessageText;
import java.time.Duration;

/**
 * Fewer replicas than {@code distribution-lock.redis.min-replicas-to-ack} acknowledged the lock in time, so it was released; the
 * guarded work did not run.
 */
public class LockNotReplicatedException extends LockBackendException {

    private static final long serialVersionUID = 1L;

    /**
     * @param waited how long the attempt took
     * @param cause how many replicas acknowledged
     */
    public LockNotReplicatedException(String lockName, Duration waited, Throwable cause) {
        this(
                lockName,
                waited,
                "Lock '" + MessageText.of(lockName) + "' was released after " + waited.toMillis() + " ms: "
                        + MessageText.sentence(cause)
                        + " Check that the replicas are connected to the master (INFO replication), or require fewer"
                        + " (distribution-lock.redis.min-replicas-to-ack).",
                cause);
    }

    LockNotReplicatedException(String lockName, Duration waited, String message, Throwable cause) {
        super(lockName, LockFailureReason.NOT_REPLICATED, waited, message, cause);
    }
}
