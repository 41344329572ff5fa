package io.distributionlock.interceptor;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.event.LockEvents;
import io.distributionlock.failure.LockFailure;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.MessageText;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;

/**
 * Answers a call that did not acquire its lock. In this order: the fallback method, {@code onBusy}, {@code onInterrupted} or {@code onBackendFailure}, a
 * mapper for the return type, the exception.
 */
final class FailureAnswers {

    private static final Log log = LogFactory.getLog(FailureAnswers.class);

    private final FailureMappers mappers;
    private final LockEvents events;
    private final @Nullable MessageSource messages;

    /** @param messages where messages in braces are looked up */
    FailureAnswers(FailureMappers mappers, LockEvents events, @Nullable MessageSource messages) {
        this.mappers = mappers;
        this.events = events;
        this.messages = messages;
    }

    /** Whether the method is to run although its lock is not held. Logs each such call, and publishes an event. */
    boolean proceedsWithoutLock(LockInvocationContext call, AttemptResult.Failed failed) {
        Throwable cause = failureOfBackend(failed.outcome());
        if (cause == null || failed.annotation().onBackendFailure() != OnBackendFailure.PROCEED) {
            return false;
        }
        log.warn(
                call.describe() + " runs WITHOUT its lock '"
                        + MessageText.of(failed.lock().name())
                        + "', because the backend failed and the method says onBackendFailure = PROCEED",
                cause);
        events.publish(new LockBypassedEvent(failed.lock().name(), call.method().method(), cause));
        return true;
    }

    /** Missing acknowledgements of replicas count as a failure of the backend. */
    private static @Nullable Throwable failureOfBackend(LockOutcome.NotAcquired outcome) {
        if (outcome instanceof LockOutcome.BackendFailed backend) {
            return backend.cause();
        }
        return outcome instanceof LockOutcome.NotReplicated replicas ? replicas.cause() : null;
    }

    /**
     * What the method returns instead of running.
     *
     * @throws Throwable what the fallback or the mapper throws, or the exception of the failure
     */
    @Nullable
    Object answer(LockInvocationContext call, AttemptResult.Failed failed) throws Throwable {
        DistributionLock annotation = failed.annotation();
        String message = message(annotation.message(), failed);
        LockNotAcquiredException exception = exception(failed, message);
        Method fallback = failed.lock().operation().fallbacks().nearest(exception);
        if (fallback != null) {
            return FallbackMethods.call(fallback, call, exception);
        }
        Throwable problem = failureOfBackend(failed.outcome());
        if (problem != null && annotation.onBackendFailure() == OnBackendFailure.SKIP) {
            log.warn(call.describe() + " is skipped, because its lock '"
                    + MessageText.of(failed.lock().name()) + "' cannot be acquired. "
                    + BackendProblemException.describe(problem));
            return ReturnShape.nothing(call.method().returnType());
        }
        switch (reactionTo(annotation, exception.reason())) {
            case THROW -> throw exception;
            case SKIP -> {
                return ReturnShape.nothing(call.method().returnType());
            }
            default -> {}
        }
        LockFailure failure = new LockFailure(
                failed.lock().name(),
                call.method().method(),
                Arrays.asList(call.arguments().clone()),
                failed.outcome().waited(),
                exception.reason(),
                exception);
        return mappers.answer(call.method().returnType(), failure);
    }

    /** What {@code onBusy} or {@code onInterrupted} says about this reason. */
    private static OnBusy reactionTo(DistributionLock annotation, LockFailureReason reason) {
        return switch (reason) {
            case BUSY, REPEATED -> annotation.onBusy();
            case INTERRUPTED ->
                switch (annotation.onInterrupted()) {
                    case UNSET -> OnBusy.UNSET;
                    case THROW -> OnBusy.THROW;
                    case SKIP -> OnBusy.SKIP;
                };
            case BACKEND_FAILED, INCOMPATIBLE, NOT_REPLICATED -> OnBusy.UNSET;
        };
    }

    private static LockNotAcquiredException exception(AttemptResult.Failed failed, @Nullable String message) {
        return message == null
                ? LockNotAcquiredException.of(failed.lock().request(), failed.outcome())
                : LockNotAcquiredException.of(failed.lock().request(), failed.outcome(), message);
    }

    private @Nullable String message(String text, AttemptResult.Failed failed) {
        if (text.isEmpty()) {
            return null;
        }
        if (messages == null || !text.startsWith("{") || !text.endsWith("}")) {
            return text;
        }
        String code = text.substring(1, text.length() - 1);
        Object[] arguments = {
            MessageText.of(failed.lock().name()), failed.outcome().waited().toMillis()
        };
        Locale locale = LocaleContextHolder.getLocale();
        return messages.getMessage(code, arguments, code, locale);
    }
}
