package io.distributionlock.autoconfigure;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers with a problem detail (RFC 9457) when a lock was not got and nothing else has answered: 409 while it is busy, 503 when
 * the backend failed or the wait was interrupted. The handlers of the application come first.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class LockProblemDetailAdvice {

    /** Retrying much sooner than one has waited in vain is of little use. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAcquired(LockNotAcquiredException exception) {
        boolean busy = exception.reason() == LockFailureReason.BUSY;
        HttpStatus status = busy ? HttpStatus.CONFLICT : HttpStatus.SERVICE_UNAVAILABLE;
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detailFor(exception, busy));
        problem.setTitle(busy ? "Busy" : "Lock unavailable");
        long seconds = Math.max(1, exception.waited().plusMillis(999).toSeconds());
        return ResponseEntity.status(status)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    /** The message of a failed backend may tell of hosts and ports, which are nobody's business outside. */
    private static String detailFor(LockNotAcquiredException exception, boolean busy) {
        return busy
                ? String.valueOf(exception.getMessage())
                : "The work was not done because its lock could not be asked for.";
    }
}
