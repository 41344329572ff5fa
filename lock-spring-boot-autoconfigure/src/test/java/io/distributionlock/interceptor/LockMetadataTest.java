package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.key.LockKeyException;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** What a caller of a locked method observes. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LockMetadataTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... configurations) {
        return LockContextRunner.with(executor, configurations);
    }

    private void withService(ThrowingConsumer<Service> test) {
        runner(Service.class).run(context -> test.accept(context.getBean(Service.class)));
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @FunctionalInterface
    private interface ThrowingConsumer<T> {
        void accept(T value) throws Exception;
    }

    @Test
    void whenTheLockIsFreeThenTheMethodRunsWhileItIsHeld() {
        withService(service -> {
            assertThat(service.update("A1001", 7)).isEqualTo("held=true");
            assertThat(executor.names()).containsExactly("updateOrderStatus:A1001:7");
        });
    }

    @Test
    void whenNoHoldTimeIsGivenThenTheLeaseIsRenewed() {
        withService(service -> {
            service.update("A1001", 7);
            assertThat(executor.requests().get(0).renewed()).isTrue();
            assertThat(executor.requests().get(0).leaseTime()).isEqualTo(Duration.ofSeconds(60));
        });
    }

    @Test
    void whenTimesAreGivenThenTheLeaseIsFixed() {
        withService(service -> {
            service.fixed();
            assertThat(executor.requests().get(0).renewed()).isFalse();
            assertThat(executor.requests().get(0).leaseTime()).isEqualTo(Duration.ofMillis(2000));
            assertThat(executor.requests().get(0).tryLockTime()).isEqualTo(Duration.ofMillis(100));
        });
    }

    @Test
    void whenTheMethodThrowsThenTheSameExceptionArrivesAndTheLockIsFree() {
        withService(service -> {
            for (Throwable thrown : List.of(
                    new IOException("checked"),
                    new InterruptedException("business"),
                    new IllegalStateException("unchecked"),
                    new StackOverflowError("error"),
                    new Throwable("bare"))) {
                assertThat(catchThrowable(() -> service.fail(thrown))).isSameAs(thrown);
                assertThat(executor.isHeld("fail")).isFalse();
            }
        });
    }

    @Test
    void whenTheLockIsBusyThenTheMethodDoesNotRunAndTheExceptionNamesLockAndWait() {
        executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(321)));
        withService(service -> assertThatThrownBy(() -> service.update("A1001", 7))
                .isExactlyInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("updateOrderStatus:A1001:7")
                .hasMessageContaining("321 ms"));
        assertThat(executor.events()).isEmpty();
    }

    @Test
    void whenTheBackendFailsThenTheMethodDoesNotRunAndTheCauseIsKept() {
        IllegalStateException cause = new IllegalStateException("connection refused");
        executor.answerNext(new LockOutcome.BackendFailed(Duration.ofMillis(5), cause));
        withService(service -> assertThatThrownBy(() -> service.update("A1001", 7))
                .isInstanceOf(LockBackendException.class)
                .hasCause(cause)
                .extracting("reason")
                .isEqualTo(LockFailureReason.BACKEND_FAILED));
        assertThat(executor.events()).isEmpty();
    }

    @Test
    void whenTheLeaseWasLostThenTheResultArrivesAndALogLineNamesLockAndMethod(CapturedOutput output) {
        executor.nextRelease(ReleaseResult.LOST);
        withService(service -> {
            assertThat(service.update("A1001", 7)).isEqualTo("held=true");
            assertThat(output)
                    .contains("WARN")
                    .contains("updateOrderStatus:A1001:7")
                    .contains("Service.update(");
        });
    }

    @Test
    void whenAMethodIsCalledFromInsideItsLockThenItIsEntered() {
        runner(Service.class, Outer.class).run(context -> {
            assertThat(context.getBean(Outer.class).update("A1001")).isEqualTo("held=true");
            assertThat(executor.events())
                    .containsExactly("lock updateOrderStatus:A1001:7", "unlock updateOrderStatus:A1001:7");
        });
    }

    @Test
    void whenAKeyPartIsNullThenTheCallFailsAndNamesMethodAndParameter() {
        withService(service -> assertThatThrownBy(() -> service.update(null, 7))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("Service.update(String, Integer)")
                .hasMessageContaining("parameter 'orderCode'")
                .hasMessageContaining("is null"));
        assertThat(executor.requests()).isEmpty();
    }

    @Test
    void whenTheArgumentChangesInsideTheMethodThenTheSameLockIsReleased() {
        withService(service -> {
            StringBuilder code = new StringBuilder("A1");
            service.mutate(code);
            assertThat(executor.events()).containsExactly("lock mutate:A1", "unlock mutate:A1");
        });
    }

    @Test
    void whenTheDelimiterIsAnotherThenItJoinsTheParts() {
        withService(service -> {
            service.dashed("a-b", "c");
            service.dashed("a", "b-c");
            assertThat(executor.names()).containsExactly("dashed-a%2Db-c", "dashed-a-b%2Dc");
        });
    }

    @Test
    void whenTheApplicationHasItsOwnKeyResolverThenItNamesTheLocks() {
        LockKeyResolver own =
                invocation -> List.of("own/" + invocation.arguments().get(0));
        runner(Service.class).withBean(LockKeyResolver.class, () -> own).run(context -> {
            context.getBean(Service.class).update("A1001", 7);
            assertThat(executor.names()).containsExactly("own/A1001");
        });
    }

    @Test
    void whenOtherAdviceHasTheHighestPrecedenceButOneThenTheLockIsOutsideOfIt() {
        runner(OtherAdviceConfiguration.class).run(context -> {
            context.getBean(OrderService.class).update();
            assertThat(executor.events())
                    .startsWith("lock order", "other before")
                    .endsWith("other after", "unlock order");
        });
    }

    static class Service {

        private final ScriptedLockExecutor executor;

        Service(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        @DistributionLock(key = "updateOrderStatus")
        public String update(@DistributionLockParam @Nullable String orderCode, @DistributionLockParam Integer userId) {
            return "held=" + executor.isHeld("updateOrderStatus:" + orderCode + ":" + userId);
        }

        @DistributionLock(key = "fixed", tryLockTime = 100, holdLockTime = 2000)
        public void fixed() {}

        @DistributionLock(key = "fail")
        public void fail(Throwable thrown) throws Throwable {
            throw thrown;
        }

        @DistributionLock(key = "mutate")
        public void mutate(@DistributionLockParam StringBuilder code) {
            code.append(" changed");
        }

        @DistributionLock(key = "dashed", delimiter = "-")
        public void dashed(@DistributionLockParam String one, @DistributionLockParam String two) {}
    }

    static class Outer {

        private final Service service;

        Outer(Service service) {
            this.service = service;
        }

        @DistributionLock(key = "updateOrderStatus:A1001:7")
        public String update(String orderCode) {
            return service.update(orderCode, 7);
        }
    }

    static class OrderService {

        private final List<String> events;

        OrderService(ScriptedLockExecutor executor) {
            this.events = executor.events();
        }

        @DistributionLock(key = "order")
        public void update() {
            events.add("work");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherAdviceConfiguration {

        @Bean
        OrderService transactionalService(ScriptedLockExecutor executor) {
            return new OrderService(executor);
        }

        @Bean
        static DefaultPointcutAdvisor aaaOtherAdvisor(
                org.springframework.beans.factory.ObjectProvider<ScriptedLockExecutor> executor) {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.addMethodName("update");
            MethodInterceptor interceptor = invocation -> {
                executor.getObject().events().add("other before");
                try {
                    return invocation.proceed();
                } finally {
                    executor.getObject().events().add("other after");
                }
            };
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, interceptor);
            advisor.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
            return advisor;
        }
    }
}
