package io.distributionlock.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.testing.LockContextRunner;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.ProxyFactory;

/** Methods that only the leader runs, on unusual beans. */
@Tag("boot4")
class LeaderOnlyMethodTest {

    /** As those that are made of an interface alone: its other advice does the work. */
    @Test
    void aProxyWithoutATargetRunsOnTheLeader() {
        LockContextRunner.local()
                .withPropertyValues("distribution-lock.leader.elections=outbox")
                .run(context -> {
                    AtomicInteger runs = new AtomicInteger();
                    ProxyFactory proxy = new ProxyFactory();
                    proxy.setInterfaces(Outbox.class);
                    context.getBeansOfType(Advisor.class).values().forEach(proxy::addAdvisor);
                    proxy.addAdvice((MethodInterceptor) call -> {
                        runs.incrementAndGet();
                        return null;
                    });
                    Outbox outbox = (Outbox) proxy.getProxy();
                    outbox.publish();
                    assertThat(runs).hasValue(1);
                    context.getBean(LeaderElection.class).stop();
                    outbox.publish();
                    assertThat(runs).hasValue(1);
                });
    }

    @Test
    void eachClassThatInheritsAMethodHasItsOwnElection() {
        LockContextRunner.local(First.class, Second.class)
                .withPropertyValues("distribution-lock.leader.elections=first,second")
                .run(context -> {
                    First first = context.getBean(First.class);
                    Second second = context.getBean(Second.class);
                    context.getBeansOfType(LeaderElection.class).values().stream()
                            .filter(election -> election.name().equals("second"))
                            .forEach(LeaderElection::stop);
                    for (int call = 0; call < 2; call++) {
                        first.work();
                        second.work();
                    }
                    assertThat(first.runs()).isEqualTo(2);
                    assertThat(second.runs()).isZero();
                });
    }

    interface Outbox {
        @LeaderOnly("outbox")
        void publish();
    }

    abstract static class Base {

        private final AtomicInteger runs = new AtomicInteger();

        public void work() {
            runs.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }
    }

    static class First extends Base {
        @Override
        @LeaderOnly("first")
        public void work() {
            super.work();
        }
    }

    static class Second extends Base {
        @Override
        @LeaderOnly("second")
        public void work() {
            super.work();
        }
    }
}
