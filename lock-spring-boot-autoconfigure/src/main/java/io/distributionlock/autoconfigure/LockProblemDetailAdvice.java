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
 * Responds with a problem detail (RFC 9457) when a lock was not acquired: 409 if it was busy, 503 if the backend failed or the wait was
 * interrupted. The application's own handlers come first.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class LockProblemDetailAdvice {

    /** A retry much sooner than after the time waited in vain is unlikely to succeed. */
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

    /** Without the message of a backend failure, which may contain hosts and ports. */
    private static String detailFor(LockNotAcquiredException exception, boolean busy) {
        return busy
                ? String.valueOf(exception.getMessage())
                : "The request was not processed because its lock could not be acquired.";
    }
}
