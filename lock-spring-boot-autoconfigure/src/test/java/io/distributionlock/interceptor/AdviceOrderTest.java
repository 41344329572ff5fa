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
import io.distributionlock.testing.KotlinSource;
import io.distributionlock.testing.LockContextRunner;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.CoroutinesUtils;
import reactor.core.publisher.Mono;

/** Where the lock stands among other advice, and what it makes of a call that other advice answers. */
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

    @ParameterizedTest
    @ValueSource(strings = {"run", "future", "mono"})
    void aCallThatOtherAdviceRefusesKeepsNoMinimumHold(String method) {
        Watch watch = new Watch();
        application(watch, 0).withBean(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            refusedThenRunThenBusy(watch, () -> switch (method) {
                case "future" -> service.future().join();
                case "mono" -> service.mono().block();
                default -> service.run();
            });
        });
    }

    @Test
    void norDoesOneOfASuspendingFunction(@TempDir Path folder) throws Exception {
        String source = """
                import io.distributionlock.annotation.DistributionLock
                open class Suspending {
                    @DistributionLock(key = "suspend", tryLockTime = 0, minHoldTime = 60000)
                    open suspend fun run(): String = "ran"
                }
                """;
        try (URLClassLoader loader = KotlinSource.compile(source, folder)) {
            Class<?> type = loader.loadClass("Suspending");
            Watch watch = new Watch();
            application(watch, 0).withClassLoader(loader).withBean(type).run(context -> {
                Object bean = context.getBean(type);
                Method method = Arrays.stream(type.getMethods())
                        .filter(each -> each.getName().equals("run"))
                        .findFirst()
                        .orElseThrow();
                refusedThenRunThenBusy(
                        watch,
                        () -> Mono.from(CoroutinesUtils.invokeSuspendingFunction(method, bean))
                                .block());
            });
        }
    }

    private static void refusedThenRunThenBusy(Watch watch, Callable<Object> call) throws Exception {
        watch.refuses = true;
        assertThatThrownBy(call::call).hasStackTraceContaining("refused");
        watch.refuses = false;
        assertThat(call.call()).isEqualTo("ran");
        assertThatThrownBy(call::call)
                .satisfiesAnyOf(
                        e -> assertThat(e).isInstanceOf(LockNotAcquiredException.class),
                        e -> assertThat(e)
                                .isInstanceOf(CompletionException.class)
                                .hasCauseInstanceOf(LockNotAcquiredException.class));
    }

    /** With an advisor of this order for all methods of these names. */
    private static ApplicationContextRunner application(Watch watch, int order) {
        NameMatchMethodPointcut methods = new NameMatchMethodPointcut();
        methods.setMappedNames("run", "future", "mono");
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

        @DistributionLock(key = "future", tryLockTime = 0, minHoldTime = 60_000)
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributionLock(key = "mono", tryLockTime = 0, minHoldTime = 60_000)
        public Mono<String> mono() {
            return Mono.just("ran");
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
