package io.distributionlock.playground.timeline;

import io.distributionlock.playground.comparison.WithoutLock;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/** Records each request for a scenario as a visit, and why it was not served. Resolves no exception: it only looks at it. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class VisitInterceptor implements HandlerInterceptor, HandlerExceptionResolver {

    private static final String FAILURE = VisitInterceptor.class.getName();
    private static final int MAX_NUMBER_LENGTH = 9;
    private static final int MAX_CAUSE_LENGTH = 400;

    private static final int MAX_RUN_LENGTH = 64;

    private final Timeline timeline;

    VisitInterceptor(Timeline timeline) {
        this.timeline = timeline;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String run = request.getHeader(WithoutLock.RUN);
        boolean isUsable = run != null && run.length() <= MAX_RUN_LENGTH;
        timeline.ask(isUsable ? run : "", number(request), request.getMethod() + " " + request.getServletPath());
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        Object cause = request.getAttribute(FAILURE);
        timeline.answer((Integer) request.getAttribute(AnswerCode.ATTRIBUTE), cause == null ? null : cause.toString());
    }

    private static @Nullable Integer number(HttpServletRequest request) {
        String number = request.getHeader(WithoutLock.NUMBER);
        return number != null && number.matches("\\d{1," + MAX_NUMBER_LENGTH + "}") ? Integer.valueOf(number) : null;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        request.setAttribute(FAILURE, cause(failure));
        return null;
    }

    /** What the exception of a lock says is known to whoever sees the answer: it was not acquired. Its causes say why. */
    private static String cause(Exception failure) {
        Throwable first = failure.getCause() == null ? failure : failure.getCause();
        String all = Stream.iterate(first, Objects::nonNull, Throwable::getCause)
                .map(each -> each.getMessage() == null ? each.getClass().getSimpleName() : each.getMessage())
                .distinct()
                .collect(Collectors.joining(" – "));
        return all.length() <= MAX_CAUSE_LENGTH ? all : all.substring(0, MAX_CAUSE_LENGTH) + " …";
    }
}
