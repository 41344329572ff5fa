package io.distributionlock;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The backend failed, so nothing is known of the lock; the guarded work did not run. */
public class LockBackendException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1L;

    private static final int DEEPEST_CAUSE = 20;

    /**
     * @param waited how long the attempt took
     * @param cause what the backend's client said
     */
    public LockBackendException(String lockName, Duration waited, Throwable cause) {
        super(
                lockName,
                LockFailureReason.BACKEND_FAILED,
                waited,
                "Asking for lock '" + MessageText.of(lockName) + "' failed after " + waited.toMillis() + " ms: "
                        + whatToDo(cause),
                cause);
    }

    private static String whatToDo(Throwable failure) {
        if (failure instanceof BackendProblemException problem) {
            return MessageText.sentence(problem.description()) + " " + MessageText.sentence(problem.cure());
        }
        String said = MessageText.sentence(failure);
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (isSilence(cause)) {
                return said
                        + " Check that Redis is up and can be reached from here, and that this process is not short of"
                        + " CPU.";
            }
            cause = cause.getCause();
        }
        return said + " The cause of this exception says more.";
    }

    /** Whether no answer came, in the words of the JDK or, by their name, in those of a client of Redis. */
    private static boolean isSilence(Throwable cause) {
        String type = cause.getClass().getSimpleName();
        return cause instanceof TimeoutException
                || cause instanceof IOException
                || cause instanceof UnresolvedAddressException
                || type.endsWith("TimeoutException")
                || type.endsWith("ConnectionException")
                || type.endsWith("ConnectionFailureException");
    }

    LockBackendException(String lockName, Duration waited, String message, Throwable cause) {
        this(lockName, LockFailureReason.BACKEND_FAILED, waited, message, cause);
    }

    LockBackendException(String lockName, LockFailureReason reason, Duration waited, String message, Throwable cause) {
        super(lockName, reason, waited, message, cause);
    }
}
