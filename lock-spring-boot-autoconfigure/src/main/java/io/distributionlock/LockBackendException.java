package io.distributionlock;

import java.time.Duration;

/** The backend failed, so nothing is known of the lock; the guarded work did not run. */
public class LockBackendException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1L;

    /**
     * @param waited how long the attempt took
     * @param cause what the backend's client said
     */
    public LockBackendException(String lockName, Duration waited, Throwable cause) {
        super(
                lockName,
                LockFailureReason.BACKEND_FAILED,
                waited,
                "The backend failed after " + waited.toMillis() + " ms of asking for lock '" + lockName + "': "
                        + whatToDo(cause),
                cause);
    }

    private static String whatToDo(Throwable cause) {
        return cause instanceof BackendProblemException problem
                ? problem.description() + " " + problem.cure()
                : cause.getMessage() + ". Check that Redis is up and can be reached from here.";
    }

    LockBackendException(String lockName, Duration waited, String message, Throwable cause) {
        this(lockName, LockFailureReason.BACKEND_FAILED, waited, message, cause);
    }

    LockBackendException(String lockName, LockFailureReason reason, Duration waited, String message, Throwable cause) {
        super(lockName, reason, waited, message, cause);
    }
}
