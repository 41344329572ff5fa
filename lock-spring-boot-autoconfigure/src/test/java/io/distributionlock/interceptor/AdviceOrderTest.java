package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockContext;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.testing.LockContextRunner;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Where the lock stands among other advice. */
@Tag("boot4")
class AdviceOrderTest {

    private static final String ORDER = "distribution-lock.advice.order=";

    @ParameterizedTest
    @CsvSource({
        // by default outside of all, even of advice with the highest precedence
        ",            -2147483648, true",
        ",            0,           true",
        "-2147483648, -2147483648, true",
        "10,          11,          true",
        "10,          9,           false",
        "2147483647,  9,           false",
    })
    void thePropertyPutsTheLockAmongOtherAdvice(@Nullable String order, int others, boolean lockOutside) {
        Watch watch = new Watch();
        application(watch, others)
                .withBean(Service.class)
                .withPropertyValues(order == null ? "unrelated=1" : ORDER + order)
                .run(context -> {
                    context.getBean(Service.class).run();
                    assertThat(watch.locked).isEqualTo(lockOutside);
                });
    }

    @Test
    void anOrderThatIsNoNumberFailsTheStart() {
        LockContextRunner.local(Service.class)
                .withPropertyValues(ORDER + "first")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("distribution-lock.advice.order"));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 0, Integer.MAX_VALUE})
    void whoDoesNotLeadTakesNoLockWithAnyOrder(int order) {
        LockContextRunner.local(Job.class)
                .withPropertyValues("distribution-lock.leader.elections=jobs", ORDER + order)
                .run(context -> {
                    Job job = context.getBean(Job.class);
                    LeaderElection election = context.getBean(LeaderElection.class);
                    election.stop();
                    // The lock is busy: who asks for it is refused.
                    context.getBean(LockTemplate.class)
                            .execute(
                                    "job",
                                    () -> CompletableFuture.runAsync(job::run).join());
                    assertThat(job.runs()).isZero();
                    election.start();
                    await().until(election::isLeader);
                    job.run();
                    assertThat(job.runs()).isEqualTo(1);
                });
    }

    @Test
    void aCallThatOtherAdviceRefusesKeepsItsMinimumHold() {
        Watch watch = new Watch();
        watch.refuses = true;
        application(watch, 0).withBean(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            assertThatThrownBy(service::run).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(service::run).isInstanceOf(LockNotAcquiredException.class);
        });
    }

    /** With an advisor of this order for {@link Service#run()}. */
    private static ApplicationContextRunner application(Watch watch, int order) {
        NameMatchMethodPointcut methods = new NameMatchMethodPointcut();
        methods.setMappedName("run");
        return LockContextRunner.local().withBean(DefaultPointcutAdvisor.class, () -> {
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(methods, watch);
            advisor.setOrder(order);
            return advisor;
        });
    }

    private static final class Watch implements MethodInterceptor {

        private volatile boolean refuses;
        private volatile boolean locked;

        @Override
        public @Nullable Object invoke(MethodInvocation call) throws Throwable {
            locked = LockContext.isHeld();
            if (refuses) {
                throw new IllegalStateException("refused");
            }
            return call.proceed();
        }
    }

    static class Service {

        @DistributionLock(key = "run", tryLockTime = 0, minHoldTime = 60_000)
        public String run() {
            return "ran";
        }
    }

    static class Job {

        private int runs;

        public int runs() {
            return runs;
        }

        @LeaderOnly("jobs")
        @DistributionLock(key = "job", tryLockTime = 0, minHoldTime = 60_000)
        public void run() {
            runs++;
        }
    }
}
