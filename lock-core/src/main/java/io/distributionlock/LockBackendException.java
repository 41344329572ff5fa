package io.distributionlock;

import io.distributionlock.internal.AnsweredAsUnavailable;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The backend failed, so the state of the lock is unknown; the guarded work did not run. */
@AnsweredAsUnavailable
public class LockBackendException extends LockNotAcquiredException {

    private static final long serialVersionUID = 1L;

    /**
     * @param waited how long the attempt took
     * @param cause the exception of the backend's client
     */
    public LockBackendException(String lockName, Duration waited, Throwable cause) {
        this(lockName, "Acquiring", waited, cause);
    }

    /**
     * For what is not an attempt.
     *
     * @param action what was tried, such as {@code Inspecting}: the message begins with it and the name of the lock
     * @param waited how long it took
     * @param cause the exception of the backend's client
     */
    public LockBackendException(String lockName, String action, Duration waited, Throwable cause) {
        super(
                lockName,
                LockFailureReason.BACKEND_FAILED,
                waited,
                action + " lock '" + MessageText.of(lockName) + "' failed after " + waited.toMillis() + " ms: "
                        + whatToDo(cause),
                cause);
    }

    private static String whatToDo(Throwable failure) {
        if (failure instanceof BackendProblemException problem) {
            return MessageText.sentence(problem.description()) + " " + MessageText.sentence(problem.action());
        }
        String reason = MessageText.sentence(failure);
        if (Failures.isAny(failure, LockBackendException::isTimeoutOrDisconnect)) {
            return reason + " Check that Redis is running and reachable, and that this process has enough CPU.";
        }
        return reason + " See the cause of this exception.";
    }

    /** Whether there was no answer, as reported by the JDK or, recognised by class name, by a Redis client. */
    private static boolean isTimeoutOrDisconnect(Throwable cause) {
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
