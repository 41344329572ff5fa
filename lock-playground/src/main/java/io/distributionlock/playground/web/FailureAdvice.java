package io.distributionlock.playground.web;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.MessageSource;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Turns every failure into a {@link Resp}. It names what the caller can correct; everything else goes only to the log.
 */
@RestControllerAdvice
class FailureAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailureAdvice.class);

    private final MessageSource messages;

    FailureAdvice(MessageSource messages) {
        this.messages = messages;
    }

    @ExceptionHandler
    ResponseEntity<Object> broken(BusinessException rule) {
        return answer(rule.status(), RespCode.REJECTED, text(rule));
    }

    /** A busy lock never gets here: the application's LockFailureMapper answers it. */
    @ExceptionHandler
    ResponseEntity<Object> notLocked(LockNotAcquiredException failure) {
        LOG.warn("Nothing was done: {}", failure.getMessage());
        boolean isRedisDown = failure.reason() == LockFailureReason.BACKEND_FAILED;
        String code = isRedisDown ? "failure.no-redis" : "failure.not-locked";
        return answer(HttpStatus.SERVICE_UNAVAILABLE, RespCode.UNAVAILABLE, code);
    }

    @ExceptionHandler
    ResponseEntity<Object> lockLost(LockLostException failure) {
        if (failure.reason() == LossReason.OVERTAKEN) {
            LOG.warn("Nothing was done: {}", failure.getMessage());
            return answer(HttpStatus.SERVICE_UNAVAILABLE, RespCode.UNAVAILABLE, "failure.overtaken");
        }
        LOG.error("The lock was lost during the work", failure);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, RespCode.UNEXPECTED, "failure.lock-lost");
    }

    @ExceptionHandler({CannotCreateTransactionException.class, DataAccessResourceFailureException.class})
    ResponseEntity<Object> noDatabase(RuntimeException failure) {
        LOG.warn("The database cannot be reached", failure);
        return answer(HttpStatus.SERVICE_UNAVAILABLE, RespCode.UNAVAILABLE, "failure.no-database");
    }

    @ExceptionHandler
    ResponseEntity<Object> unexpected(Exception failure) {
        LOG.error("Unexpected failure", failure);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, RespCode.UNEXPECTED, "request.500");
    }

    /** Requests that Spring MVC refuses: a missing or malformed parameter, a wrong method, an unknown path. */
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception refused, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (!status.is4xxClientError()) {
            return unexpected(refused);
        }
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Resp.buildFail(RespCode.REJECTED, describe(refused, status)));
    }

    private String describe(Exception refused, HttpStatusCode status) {
        if (refused instanceof MissingServletRequestParameterException missing) {
            return text("request.missing", missing.getParameterName());
        }
        if (refused instanceof MethodArgumentTypeMismatchException mismatch) {
            return text("request.malformed", mismatch.getName());
        }
        if (refused instanceof HandlerMethodValidationException invalid) {
            return invalid.getAllErrors().stream().map(this::text).collect(Collectors.joining("; "));
        }
        return switch (status.value()) {
            case 404, 405, 406 -> "request." + status.value();
            default -> text("request.refused", String.valueOf(status.value()));
        };
    }

    private String text(String code, Object... arguments) {
        return messages.getMessage(code, arguments, LocaleContextHolder.getLocale());
    }

    private String text(MessageSourceResolvable message) {
        return messages.getMessage(message, LocaleContextHolder.getLocale());
    }

    /** Always JSON, whatever the caller accepts: an error that cannot be written would become another error. */
    private static ResponseEntity<Object> answer(HttpStatusCode status, int code, String message) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Resp.buildFail(code, message));
    }
}
