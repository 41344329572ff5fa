package io.distributionlock.failure;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.event.LockBypassedEvent;
import io.distributionlock.event.LockEvents;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.ReturnShape;
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
 *
 * @hidden
 */
@Internal
public final class FailureAnswers {

    private static final Log log = LogFactory.getLog(FailureAnswers.class);

    private final FailureMappers mappers;
    private final LockEvents events;
    private final @Nullable MessageSource messages;

    /** @param messages where messages in braces are looked up */
    public FailureAnswers(FailureMappers mappers, LockEvents events, @Nullable MessageSource messages) {
        this.mappers = mappers;
        this.events = events;
        this.messages = messages;
    }

    /** Whether the method is to run although its lock is not held. Logs each such call, and publishes an event. */
    public boolean proceedsWithoutLock(FailedInvocation call, FailedAttempt lock) {
        Throwable cause = failureOfBackend(lock.outcome());
        if (cause == null || lock.annotation().onBackendFailure() != OnBackendFailure.PROCEED) {
            return false;
        }
        log.warn(
                call.describe() + " runs WITHOUT its lock '"
                        + MessageText.of(lock.lockName())
                        + "', because the backend failed and the method says onBackendFailure = PROCEED",
                cause);
        events.publish(new LockBypassedEvent(lock.lockName(), call.javaMethod(), cause));
        return true;
    }

    /** Missing acknowledgements of replicas count as a failure of the backend. */
    private static @Nullable Throwable failureOfBackend(LockOutcome.NotAcquired outcome) {
        if (outcome instanceof LockOutcome.BackendFailed failed) {
            return failed.cause();
        }
        return outcome instanceof LockOutcome.NotReplicated failed ? failed.cause() : null;
    }

    /**
     * What the method returns instead of running.
     *
     * @throws Throwable what the fallback or the mapper throws, or the exception of the failure
     */
    @Nullable
    public Object answer(FailedInvocation call, FailedAttempt lock) throws Throwable {
        DistributionLock annotation = lock.annotation();
        String message = message(annotation.message(), lock);
        LockNotAcquiredException exception = exception(lock, message);
        Method fallback = lock.fallbacks().nearest(exception);
        if (fallback != null) {
            return FallbackMethods.call(fallback, call, exception);
        }
        Throwable problem = failureOfBackend(lock.outcome());
        if (problem != null && annotation.onBackendFailure() == OnBackendFailure.SKIP) {
            log.warn(call.describe() + " is skipped, because its lock '" + MessageText.of(lock.lockName())
                    + "' cannot be acquired. " + BackendProblemException.describe(problem));
            return ReturnShape.nothing(call.returnType());
        }
        switch (reactionTo(annotation, exception.reason())) {
            case THROW -> throw exception;
            case SKIP -> {
                return ReturnShape.nothing(call.returnType());
            }
            default -> {}
        }
        LockFailure failure = new LockFailure(
                lock.lockName(),
                call.javaMethod(),
                Arrays.asList(call.arguments().clone()),
                lock.outcome().waited(),
                exception.reason(),
                exception);
        return mappers.answer(call.returnType(), failure);
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

    private static LockNotAcquiredException exception(FailedAttempt lock, @Nullable String message) {
        return message == null
                ? LockNotAcquiredException.of(lock.request(), lock.outcome())
                : LockNotAcquiredException.of(lock.request(), lock.outcome(), message);
    }

    private @Nullable String message(String text, FailedAttempt lock) {
        if (text.isEmpty()) {
            return null;
        }
        if (messages == null || !text.startsWith("{") || !text.endsWith("}")) {
            return text;
        }
        String code = text.substring(1, text.length() - 1);
        Object[] arguments = {
            MessageText.of(lock.lockName()), lock.outcome().waited().toMillis()
        };
        Locale locale = LocaleContextHolder.getLocale();
        return messages.getMessage(code, arguments, code, locale);
    }
}
