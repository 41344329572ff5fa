package io.distributionlock.sample;

import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Errors are a {@link Resp}, too. It says what the caller can correct; the log has the rest. */
@RestControllerAdvice
class FailureAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailureAdvice.class);

    @ExceptionHandler
    ResponseEntity<Object> notLocked(LockNotAcquiredException failure) {
        LOG.warn("Nothing was done: {}", failure.getMessage());
        return ResponseEntity.status(503).body(Resp.buildFail(3, "Not possible now; nothing was done"));
    }

    @ExceptionHandler
    ResponseEntity<Object> lockLost(LockLostException failure) {
        LOG.error("The lock was lost during the work", failure);
        return ResponseEntity.status(500)
                .body(Resp.buildFail(4, "Interrupted; look at the order before you repeat it"));
    }

    @ExceptionHandler
    ResponseEntity<Object> unexpected(Exception failure) {
        LOG.error("Unexpected failure", failure);
        return ResponseEntity.status(500).body(Resp.buildFail(4, "Unexpected failure"));
    }

    /** What Spring MVC refuses, and what the application does by a ResponseStatusException. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String message = body instanceof ProblemDetail problem ? problem.getDetail() : "Wrong request";
        return ResponseEntity.status(status).headers(headers).body(Resp.buildFail(2, message));
    }
}
