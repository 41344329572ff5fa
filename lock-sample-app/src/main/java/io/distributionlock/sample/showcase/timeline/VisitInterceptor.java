package io.distributionlock.sample.showcase.timeline;

import io.distributionlock.sample.showcase.comparison.WithoutLock;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/** Records each request for a scenario as a visit. */
@Component
class VisitInterceptor implements HandlerInterceptor {

    private static final int LONGEST_RUN = 64;

    private final Timeline timeline;

    VisitInterceptor(Timeline timeline) {
        this.timeline = timeline;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String run = request.getHeader(WithoutLock.RUN);
        boolean isUsable = run != null && run.length() <= LONGEST_RUN;
        timeline.ask(isUsable ? run : "", request.getMethod() + " " + request.getServletPath());
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, @Nullable Exception failure) {
        timeline.answer((Integer) request.getAttribute(AnswerCode.ATTRIBUTE));
    }
}
