package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.Reentry;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** A bean that is handed on as another bean has two proxies with the same advice. Each call is locked once, by the inner one, and none is left out. */
class ProxyOfProxyTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Between between, Body test) {
        LockContextRunner.with(executor, Beans.class)
                .withBean(Between.class, () -> between)
                .run(context -> {
                    Advised thrice = (Advised) context.getBean("thrice");
                    assertThat(thrice.getTargetSource().getTarget()).isInstanceOf(Advised.class);
                    test.run(context.getBean("thrice", Service.class), context.getBean("other", Service.class));
                });
    }

    @AfterEach
    void nothingIsHeld() {
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service, Service other) throws Exception;
    }

    /** What other advice does on the way from the outermost proxy to the next. */
    @FunctionalInterface
    interface Between {
        @Nullable
        Object call(MethodInvocation invocation, Service other) throws Throwable;
    }

    @Test
    void aCallIsLockedOnce() {
        with((invocation, other) -> invocation.proceed(), (service, other) -> {
            service.work("a", 0);
            assertThat(executor.names()).containsExactly("work:a");
        });
    }

    @Test
    void theCallOfAnotherInstanceOnTheWayIsLocked() {
        with(
                (invocation, other) -> {
                    other.work("b", 0);
                    return invocation.proceed();
                },
                (service, other) -> {
                    service.work("a", 0);
                    assertThat(executor.events())
                            .containsExactly("lock work:b", "unlock work:b", "lock work:a", "unlock work:a");
                });
    }

    @Test
    void aCallWithOtherArgumentsIsLockedByTheirName() {
        with(
                (invocation, other) -> {
                    invocation.getArguments()[0] = "c";
                    return invocation.proceed();
                },
                (service, other) -> {
                    service.work("a", 0);
                    assertThat(executor.events()).containsExactly("lock work:c", "unlock work:c");
                });
    }

    @Test
    void whatMayNotBeEnteredTwiceIsEnteredOnce() {
        with((invocation, other) -> invocation.proceed(), (service, other) -> {
            service.once();
            assertThat(executor.names()).containsExactly("once");
        });
    }

    /** Two calls would wait for each other. */
    @Test
    void aFutureIsLockedOnce() {
        with((invocation, other) -> invocation.proceed(), (service, other) -> {
            assertThat(service.later()).succeedsWithin(Duration.ofSeconds(60));
            assertThat(executor.names()).containsExactly("later");
        });
    }

    @Test
    void aCallThatTheMethodMakesIsLocked() {
        with((invocation, other) -> invocation.proceed(), (service, other) -> {
            service.workWith(() -> service.work("a", 0));
            assertThat(executor.names()).containsExactly("with", "work:a");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Service first() {
            return new Service();
        }

        @Bean
        Service other() {
            return new Service();
        }

        @Bean
        Service twice(@Qualifier("first") Service first) {
            return first;
        }

        @Bean
        Service thrice(@Qualifier("twice") Service twice) {
            return twice;
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor between(
                ObjectProvider<Between> between,
                @Qualifier("thrice") ObjectProvider<Service> outermost,
                @Qualifier("other") ObjectProvider<Service> other) {
            MethodInterceptor advice = invocation -> {
                Object outer =
                        ((Advised) outermost.getObject()).getTargetSource().getTarget();
                return invocation.getThis() == outer
                        ? between.getObject().call(invocation, other.getObject())
                        : invocation.proceed();
            };
            return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, DistributionLock.class), advice);
        }
    }

    static class Service {

        @DistributionLock(key = "work")
        public void work(@DistributionLockParam String id, @FencingToken long token) {}

        @DistributionLock(key = "once", reentry = Reentry.REFUSE)
        public void once() {}

        @DistributionLock(key = "later")
        public CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("done");
        }

        @DistributionLock(key = "with")
        public void workWith(Runnable inside) {
            inside.run();
        }
    }
}
