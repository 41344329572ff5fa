package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The lock and an aspect of the application around one method. */
class AspectTest {

    private final Trace trace = new Trace();

    @Test
    void byDefaultEvenTheFirstAspectIsInsideOfTheLock() {
        trace.application(FirstAspect.class, Orders.class).run(context -> {
            context.getBean(Orders.class).update();
            assertThat(trace.next()).containsExactly("lock order", "before", "run", "after", "unlock order");
        });
    }

    @Test
    void anAspectIsOutsideOfALaterLock() {
        trace.application(EarlierAspect.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    context.getBean(Orders.class).update();
                    assertThat(trace.next()).containsExactly("before", "lock order", "run", "unlock order", "after");
                });
    }

    @Test
    void anAspectWithoutAnOrderIsNot() {
        trace.application(UnorderedAspect.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    context.getBean(Orders.class).update();
                    assertThat(trace.next()).containsExactly("lock order", "before", "run", "after", "unlock order");
                });
    }

    static class Orders {

        private final Trace trace;

        Orders(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "order")
        public void update() {
            trace.add("run");
        }
    }

    abstract static class TracedAspect {

        private final Trace trace;

        TracedAspect(Trace trace) {
            this.trace = trace;
        }

        @Around("execution(* io.distributionlock.annotations.AspectTest.Orders.*(..))")
        public Object trace(ProceedingJoinPoint call) throws Throwable {
            trace.add("before");
            Object result = call.proceed();
            trace.add("after");
            return result;
        }
    }

    @Aspect
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class FirstAspect extends TracedAspect {

        FirstAspect(Trace trace) {
            super(trace);
        }
    }

    @Aspect
    @Order(900)
    static class EarlierAspect extends TracedAspect {

        EarlierAspect(Trace trace) {
            super(trace);
        }
    }

    @Aspect
    static class UnorderedAspect extends TracedAspect {

        UnorderedAspect(Trace trace) {
            super(trace);
        }
    }
}
