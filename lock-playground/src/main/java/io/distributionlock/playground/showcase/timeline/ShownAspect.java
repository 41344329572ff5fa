package io.distributionlock.playground.showcase.timeline;

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
        return show(call, shown.value(), shown.things(), shown.shared());
    }

    /** The order application knows nothing of the page. */
    @Around("execution(* io.distributionlock.playground.order.StatusChange.apply(..))")
    Object showOrder(ProceedingJoinPoint call) throws Throwable {
        return show(call, "update", 1, false);
    }

    private Object show(ProceedingJoinPoint call, String name, int things, boolean shared) throws Throwable {
        boolean ownVisit = !timeline.isAsking();
        if (ownVisit) {
            timeline.ask("", null, name);
        }
        timeline.enter(name, things(call, things), shared);
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
