package io.distributionlock.playground.timeline;

import java.util.Arrays;
import java.util.List;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** Runs inside the lock, which is outermost, and outside the transaction, so that the bar includes the commit. */
@Aspect
@Order(0)
@Component
class ShownAspect {

    private final Timeline timeline;

    ShownAspect(Timeline timeline) {
        this.timeline = timeline;
    }

    @Around("@annotation(shown)")
    Object show(ProceedingJoinPoint call, Shown shown) throws Throwable {
        boolean ownVisit = !timeline.isAsking();
        if (ownVisit) {
            timeline.ask("", null, shown.value());
        }
        timeline.enter(shown.value(), things(call, shown.things()), shown.shared());
        try {
            return call.proceed();
        } finally {
            timeline.leave();
            if (ownVisit) {
                timeline.answer(null, null);
            }
        }
    }

    private static List<String> things(ProceedingJoinPoint call, int number) {
        return Arrays.stream(call.getArgs()).limit(number).map(String::valueOf).toList();
    }
}
