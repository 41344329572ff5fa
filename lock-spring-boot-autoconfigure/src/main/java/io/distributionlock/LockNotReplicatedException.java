package io.distributionlock;

import java.time.Duration;

/**
 * The lock was free, but fewer replicas than {@code distribution-lock.redis.min-replicas-to-ack} had acknowledged it in time, so
 * it was given back; the guarded work did not run.
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
                "Lock '" + MessageText.of(lockName) + "' was given back after " + waited.toMillis() + " ms: "
                        + MessageText.sentence(cause)
                        + " Check that the replicas are connected to the master (INFO replication), or ask for fewer"
                        + " (distribution-lock.redis.min-replicas-to-ack).",
                cause);
    }

    LockNotReplicatedException(String lockName, Duration waited, String message, Throwable cause) {
        super(lockName, LockFailureReason.NOT_REPLICATED, waited, message, cause);
    }
}
