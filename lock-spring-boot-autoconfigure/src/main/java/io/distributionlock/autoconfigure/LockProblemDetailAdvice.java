package io.distributionlock.autoconfigure;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.internal.MessageText;
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
 * Responds with a problem detail (RFC 9457) when a lock was not acquired: 409 if it was busy or the call was a repeat, otherwise 503.
 * When it was lost, the work has run: 500, which no client repeats by itself. The application's own handlers come first.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class LockProblemDetailAdvice {

    /** A retry much sooner than after the time waited in vain is unlikely to succeed. A repeat should not be retried at all. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> notAcquired(LockNotAcquiredException exception) {
        boolean repeated = exception.reason() == LockFailureReason.REPEATED;
        boolean busy = repeated || exception.reason() == LockFailureReason.BUSY;
        HttpStatus status = busy ? HttpStatus.CONFLICT : HttpStatus.SERVICE_UNAVAILABLE;
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detailFor(exception));
        problem.setTitle(repeated ? "Repeated" : busy ? "Busy" : "Lock unavailable");
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        if (!repeated) {
            long seconds = Math.max(1, exception.waited().plusMillis(999).toSeconds());
            response.header(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        }
        return response.contentType(MediaType.APPLICATION_PROBLEM_JSON).body(problem);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> lost(LockLostException exception) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "The lock of the request was lost while it was processed. Its work may be done, in whole or in part: check"
                        + " before you repeat it.");
        problem.setTitle("Lock lost");
        return ResponseEntity.internalServerError()
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    /**
     * The caller learns neither the name of the lock, which may hold the data of others, nor the hosts and ports of a backend failure.
     * Every message of this library names the lock; one that does not is the application's own.
     */
    private static String detailFor(LockNotAcquiredException exception) {
        String message = exception.getMessage();
        if (message != null && !message.contains("'" + MessageText.of(exception.lockName()) + "'")) {
            return message;
        }
        return switch (exception.reason()) {
            case BUSY -> "The request was not processed because another one is being processed. Try again later.";
            case REPEATED -> "The same request is being processed, or was processed a short time ago.";
            case BACKEND_FAILED, INCOMPATIBLE, NOT_REPLICATED, INTERRUPTED ->
                "The request was not processed because its lock could not be acquired.";
        };
    }
}
