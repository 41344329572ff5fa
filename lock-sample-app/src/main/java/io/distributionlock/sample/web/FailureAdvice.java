package io.distributionlock.sample.web;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.MessageSourceResolvable;
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

    @ExceptionHandler
    ResponseEntity<Object> broken(BusinessException rule) {
        return answer(rule.status(), RespCode.REJECTED, String.valueOf(rule.getMessage()));
    }

    /** A busy lock never gets here: the application's LockFailureMapper answers it. */
    @ExceptionHandler
    ResponseEntity<Object> notLocked(LockNotAcquiredException failure) {
        LOG.warn("Nothing was done: {}", failure.getMessage());
        String message =
                failure.reason() == LockFailureReason.BACKEND_FAILED ? "分布式锁服务(Redis)暂不可用,业务未执行,请稍后重试" : "业务未执行,请稍后重试";
        return answer(HttpStatus.SERVICE_UNAVAILABLE, RespCode.UNAVAILABLE, message);
    }

    @ExceptionHandler
    ResponseEntity<Object> lockLost(LockLostException failure) {
        LOG.error("The lock was lost during the work", failure);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, RespCode.UNEXPECTED, "处理过程中锁已失效,请核对订单状态后再重试");
    }

    @ExceptionHandler({CannotCreateTransactionException.class, DataAccessResourceFailureException.class})
    ResponseEntity<Object> noDatabase(RuntimeException failure) {
        LOG.warn("The database cannot be reached", failure);
        return answer(HttpStatus.SERVICE_UNAVAILABLE, RespCode.UNAVAILABLE, "数据库暂不可用,请稍后重试");
    }

    @ExceptionHandler
    ResponseEntity<Object> unexpected(Exception failure) {
        LOG.error("Unexpected failure", failure);
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, RespCode.UNEXPECTED, "系统异常,请联系管理员");
    }

    /** Requests that Spring MVC refuses: a missing or malformed parameter, a wrong method, an unknown path. */
    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception refused, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (!status.is4xxClientError()) {
            return unexpected(refused);
        }
        ResponseEntity<Object> answer = answer(status, RespCode.REJECTED, describe(refused, status));
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_JSON)
                .body(answer.getBody());
    }

    private static String describe(Exception refused, HttpStatusCode status) {
        if (refused instanceof MissingServletRequestParameterException missing) {
            return "缺少参数 " + missing.getParameterName();
        }
        if (refused instanceof MethodArgumentTypeMismatchException mismatch) {
            return "参数 " + mismatch.getName() + " 的格式不正确";
        }
        if (refused instanceof HandlerMethodValidationException invalid) {
            return invalid.getAllErrors().stream()
                    .map(MessageSourceResolvable::getDefaultMessage)
                    .collect(Collectors.joining(";"));
        }
        HttpStatus known = HttpStatus.resolve(status.value());
        return "请求无法处理: " + status.value() + (known == null ? "" : " " + known.getReasonPhrase());
    }

    /** Always JSON, whatever the caller accepts: an error that cannot be written would become another error. */
    private static ResponseEntity<Object> answer(HttpStatusCode status, int code, String message) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Resp.buildFail(code, message));
    }
}
