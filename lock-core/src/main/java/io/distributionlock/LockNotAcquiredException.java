package io.distributionlock;

import io.distributionlock.internal.AnsweredAsConflict;
import io.distributionlock.internal.MessageText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock was not acquired, so the guarded work did not run. Failures of the backend and interruptions have
 * subclasses, so that a {@code catch} can distinguish them; {@link #reason} tells all apart.
 *
 * <p>Unless the application handles it, Spring MVC and WebFlux answer it with status 409, and failures of the backend and interruptions
 * with 503.
 */
@AnsweredAsConflict
public class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final LockFailureReason reason;
    private final Duration waited;

    LockNotAcquiredException(
            String lockName, LockFailureReason reason, Duration waited, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
        this.reason = reason;
        this.waited = waited;
    }

    /** The exception for the outcome of a request. */
    public static LockNotAcquiredException of(LockRequest request, LockOutcome.NotAcquired outcome) {
        return isRepeated(request, outcome)
                ? repeated(
                        request,
                        outcome,
                        "Lock '" + MessageText.of(request.name())
                                + "' refuses to repeat a call: the same one is still running, or succeeded and began less than "
                                + request.minHoldTime().toMillis() + " ms ago. Use its result, or try again later.")
                : of(request.name(), outcome);
    }

    /** The exception for the outcome of a request, with a custom message. */
    public static LockNotAcquiredException of(LockRequest request, LockOutcome.NotAcquired outcome, String message) {
        return isRepeated(request, outcome)
                ? repeated(request, outcome, message)
                : of(request.name(), outcome, message);
    }

    private static boolean isRepeated(LockRequest request, LockOutcome.NotAcquired outcome) {
        return request.refuseRepeats() && outcome instanceof LockOutcome.Busy;
    }

    private static LockNotAcquiredException repeated(
            LockRequest request, LockOutcome.NotAcquired outcome, String message) {
        return new LockNotAcquiredException(
                request.name(), LockFailureReason.REPEATED, outcome.waited(), message, null);
    }

    /** The exception for an outcome. */
    public static LockNotAcquiredException of(String lockName, LockOutcome.NotAcquired outcome) {
        Duration waited = outcome.waited();
        if (outcome instanceof LockOutcome.BackendFailed failed) {
            return new LockBackendException(lockName, waited, failed.cause());
        }
        if (outcome instanceof LockOutcome.NotReplicated failed) {
            return new LockNotReplicatedException(lockName, waited, failed.cause());
        }
        if (outcome instanceof LockOutcome.Interrupted) {
            return new LockInterruptedException(lockName, waited);
        }
        if (outcome instanceof LockOutcome.Upgrade upgrade) {
            return new LockUpgradeException(lockName, waited, upgrade.requested());
        }
        return new LockNotAcquiredException(
                lockName,
                outcome.reason(),
                waited,
                "Lock '" + MessageText.of(lockName) + "'" + complaint(outcome),
                null);
    }

    private static String complaint(LockOutcome.NotAcquired outcome) {
        if (outcome instanceof LockOutcome.Lost) {
            return " was acquired, but lost before the work began, so the work did not run. Try again later, or hold it"
                    + " longer (holdLockTime).";
        }
        if (outcome instanceof LockOutcome.Incompatible incompatible) {
            return " " + incompatible.conflict()
                    + ". A name is a lock or has permits, not both: use another name for one of them. If an update of the"
                    + " application changes it from one to the other, this ends when the last old instance has stopped.";
        }
        boolean byOwner = outcome instanceof LockOutcome.Busy busy && busy.byOwner();
        return byOwner
                ? " is held by the caller already, and may not be entered twice. Call from outside of the lock, or allow"
                        + " re-entry (reentry)."
                : " is busy: it was not free within " + outcome.waited().toMillis()
                        + " ms. Try again later, or wait longer (tryLockTime).";
    }

    /** The exception for an outcome, with a custom message. */
    public static LockNotAcquiredException of(String lockName, LockOutcome.NotAcquired outcome, String message) {
        Duration waited = outcome.waited();
        if (outcome instanceof LockOutcome.BackendFailed failed) {
            return new LockBackendException(lockName, waited, message, failed.cause());
        }
        if (outcome instanceof LockOutcome.NotReplicated failed) {
            return new LockNotReplicatedException(lockName, waited, message, failed.cause());
        }
        if (outcome instanceof LockOutcome.Interrupted) {
            return new LockInterruptedException(lockName, waited, message);
        }
        if (outcome instanceof LockOutcome.Upgrade) {
            return new LockUpgradeException(lockName, waited, message);
        }
        return new LockNotAcquiredException(lockName, outcome.reason(), waited, message, null);
    }

    /** The name of the lock. */
    public String lockName() {
        return lockName;
    }

    /** Why the lock was not acquired. */
    public LockFailureReason reason() {
        return reason;
    }

    /** How long the attempt took. */
    public Duration waited() {
        return waited;
    }
}
