package io.distributionlock.aop;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.MessageText;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;

/**
 * What a caller gets when a lock was not got. In this order: the fallback method, what {@code onBusy} or {@code onInterrupted} says,
 * a mapper for the return type, the exception.
 */
final class FailureAnswers {

    private static final Log log = LogFactory.getLog(FailureAnswers.class);

    private final FailureMappers mappers;
    private final LockEvents events;
    private volatile @Nullable MessageSource messages;

    FailureAnswers(FailureMappers mappers, LockEvents events) {
        this.mappers = mappers;
        this.events = events;
    }

    void takeMessagesFrom(MessageSource newMessages) {
        this.messages = newMessages;
    }

    /** Whether the method is to run although its lock is not held. Every such case is told. */
    boolean proceedsWithoutLock(LockedCall call, Taking.Refused refused) {
        Throwable cause = failureOfBackend(refused.outcome());
        if (cause == null || refused.lock().declaration().annotation().onBackendFailure() != OnBackendFailure.PROCEED) {
            return false;
        }
        log.warn(
                call.describe() + " runs WITHOUT its lock '"
                        + MessageText.of(refused.lock().name())
                        + "', because the backend failed and the method says onBackendFailure = PROCEED",
                cause);
        events.publish(
                new LockBypassedEvent(refused.lock().name(), call.method().method(), cause));
        return true;
    }

    /** Replicas that do not acknowledge are a failure of the backend as well. */
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
    Object answer(LockedCall call, Taking.Refused refused) throws Throwable {
        LockDeclaration declaration = refused.lock().declaration();
        DistributionLock annotation = declaration.annotation();
        String message = message(annotation.message(), refused);
        LockNotAcquiredException exception = exception(refused, message);
        Method fallback = declaration.fallbacks().nearest(exception, call.arguments().length);
        if (fallback != null) {
            return FallbackMethods.call(
                    fallback, call.invocation().getThis(), call.arguments().clone(), exception);
        }
        switch (wish(annotation, exception.reason())) {
            case THROW -> throw exception;
            case SKIP -> {
                return ReturnShape.nothing(call.method().returnType());
            }
            default -> {}
        }
        LockFailure failure = new LockFailure(
                refused.lock().name(),
                call.method().method(),
                Arrays.asList(call.arguments().clone()),
                refused.outcome().waited(),
                exception.reason(),
                exception);
        return mappers.answer(call.method().returnType(), failure);
    }

    /** What the annotation says about this reason by an attribute of its own. */
    private static OnBusy wish(DistributionLock annotation, LockFailureReason reason) {
        return switch (reason) {
            case BUSY -> annotation.onBusy();
            case INTERRUPTED ->
                switch (annotation.onInterrupted()) {
                    case UNSET -> OnBusy.UNSET;
                    case THROW -> OnBusy.THROW;
                    case SKIP -> OnBusy.SKIP;
                };
            case BACKEND_FAILED, NOT_REPLICATED -> OnBusy.UNSET;
        };
    }

    private static LockNotAcquiredException exception(Taking.Refused refused, @Nullable String message) {
        return message == null
                ? LockNotAcquiredException.of(refused.lock().name(), refused.outcome())
                : LockNotAcquiredException.of(refused.lock().name(), refused.outcome(), message);
    }

    private @Nullable String message(String text, Taking.Refused refused) {
        if (text.isEmpty()) {
            return null;
        }
        MessageSource source = messages;
        if (source == null || !text.startsWith("{") || !text.endsWith("}")) {
            return text;
        }
        String code = text.substring(1, text.length() - 1);
        Object[] arguments = {
            MessageText.of(refused.lock().name()), refused.outcome().waited().toMillis()
        };
        Locale locale = LocaleContextHolder.getLocale();
        return source.getMessage(code, arguments, code, locale);
    }
}
