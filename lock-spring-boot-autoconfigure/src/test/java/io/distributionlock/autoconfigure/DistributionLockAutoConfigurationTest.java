package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.interceptor.DistributionLockAdvisor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.core.PriorityOrdered;

@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class DistributionLockAutoConfigurationTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner() {
        return LockContextRunner.with(executor, OrderConfiguration.class);
    }

    @Test
    void whenNothingIsConfiguredThenAnnotatedMethodsAreLocked() {
        runner().run(context -> {
            assertThat(context).hasSingleBean(LockTemplate.class).hasSingleBean(DistributionLockAdvisor.class);
            assertThat(context.getBean(OrderService.class).update("A1001")).isEqualTo("updated A1001");
            assertThat(executor.names()).containsExactly("updateOrderStatus:A1001");
            assertThat(executor.events())
                    .containsExactly("lock updateOrderStatus:A1001", "unlock updateOrderStatus:A1001");
        });
    }

    @Test
    void whenStartedThenNoBeanIsCreatedBeforeItsPostProcessors(CapturedOutput output) {
        runner().run(context -> assertThat(output).doesNotContain("not eligible for"));
    }

    @Test
    void whenAopAutoConfigurationIsOffThenMethodsAreLockedNevertheless() {
        runner().withPropertyValues("spring.aop.auto=false").run(this::assertLocked);
    }

    @Test
    void whenAspectJIsAbsentThenMethodsAreLockedNevertheless() {
        runner().withClassLoader(new FilteredClassLoader("org.aspectj")).run(this::assertLocked);
    }

    @Test
    void whenTheApplicationChoosesJdkProxiesThenTheChoiceStands() {
        LockContextRunner.with(executor, JdkProxyConfiguration.class)
                .withPropertyValues("spring.aop.auto=false")
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    assertThat(AopUtils.isJdkDynamicProxy(orders)).isTrue();
                    orders.update("A1");
                    assertThat(executor.names()).containsExactly("order:A1");
                });
    }

    private void assertLocked(org.springframework.context.ApplicationContext context) {
        context.getBean(OrderService.class).update("A1001");
        assertThat(executor.names()).containsExactly("updateOrderStatus:A1001");
    }

    @Test
    void whenTimesAreSetInPropertiesThenRequestsUseThem() {
        runner().withPropertyValues(
                        "distribution-lock.defaults.try-lock-time=250ms",
                        "distribution-lock.defaults.lease-time=7s",
                        "distribution-lock.defaults.max-hold-time=1h",
                        "distribution-lock.defaults.confirm-release=false")
                .run(context -> {
                    context.getBean(OrderService.class).update("A1001");
                    assertThat(executor.requests()).singleElement().satisfies(request -> {
                        assertThat(request.tryLockTime()).isEqualTo(Duration.ofMillis(250));
                        assertThat(request.leaseTime()).isEqualTo(Duration.ofSeconds(7));
                        assertThat(request.maxHoldTime()).isEqualTo(Duration.ofHours(1));
                        assertThat(request.confirmRelease()).isFalse();
                        assertThat(request.renewed()).isTrue();
                    });
                });
    }

    @Test
    void whenNoPropertyIsSetThenTheDefaultsAreThoseOfTheLibrary() {
        runner().run(context -> {
            LockProperties properties = context.getBean(LockProperties.class);
            assertThat(properties.defaults().toLockDefaults()).isEqualTo(LockDefaults.STANDARD);
            assertThat(properties.executor()).isEqualTo(LockProperties.Executor.REDIS);
            assertThat(properties.redis().keyPrefix()).isEqualTo("distribution-lock");
            assertThat(properties.redis().commandTimeout()).isEqualTo(Duration.ofSeconds(2));
            assertThat(properties.shutdown().timeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(properties.validation()).isEqualTo(LockProperties.Validation.FAIL);
        });
    }

    @Test
    void whenAPropertyIsOutOfRangeThenTheStartFailsAndNamesIt() {
        assertStartFailsFor("distribution-lock.defaults.try-lock-time", "-1ms");
        assertStartFailsFor("distribution-lock.defaults.lease-time", "0s");
        assertStartFailsFor("distribution-lock.defaults.lease-time", "400d");
        assertStartFailsFor("distribution-lock.defaults.max-hold-time", "-5s");
        assertStartFailsFor("distribution-lock.redis.command-timeout", "0");
        assertStartFailsFor("distribution-lock.redis.key-prefix", " ");
        assertStartFailsFor("distribution-lock.redis.key-prefix", "a{b}");
        assertStartFailsFor("distribution-lock.redis.min-replicas-to-ack", "-1");
        assertStartFailsFor("distribution-lock.redis.replica-ack-timeout", "0");
        assertStartFailsFor("distribution-lock.local-handover.max-count", "-1");
        assertStartFailsFor("distribution-lock.local-handover.max-time", "-1s");
        assertStartFailsFor("distribution-lock.shutdown.timeout", "-1s");
    }

    @Test
    void whenReplicasMayTakeLongerToAcknowledgeThanACommandMayTakeThenTheStartFails() {
        runner().withPropertyValues("distribution-lock.redis.replica-ack-timeout=1s")
                .run(context -> assertThat(context).hasNotFailed());
        runner().withPropertyValues(
                        "distribution-lock.redis.min-replicas-to-ack=1",
                        "distribution-lock.redis.replica-ack-timeout=1s")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("distribution-lock.redis.replica-ack-timeout is 1000ms")
                        .hasMessageContaining("distribution-lock.redis.command-timeout 2000ms"));
    }

    private void assertStartFailsFor(String property, String value) {
        runner().withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(property + " is"));
    }

    @Test
    void whenTheApplicationHasItsOwnBeansThenOursBackOff() {
        LockTemplate own = new LockTemplate(executor, LockDefaults.STANDARD);
        runner().withBean("ownTemplate", LockTemplate.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(LockTemplate.class);
            assertThat(context.getBean(LockTemplate.class)).isSameAs(own);
        });
    }

    @Test
    void whenThereIsNoExecutorButALockThenTheStartFailsAndSaysWhatToDo() {
        LockContextRunner.plain()
                .withUserConfiguration(OrderConfiguration.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("no LockTemplate")
                        .hasMessageContaining("distribution-lock.executor"));
    }

    @Test
    void whenABeanIsCreatedTooEarlyThenTheStartFailsAndNamesIt() {
        LockContextRunner.with(executor, EarlyConfiguration.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("'orderService'")
                        .hasMessageContaining("created too early"));
    }

    @Test
    void whenABeanIsRegisteredAsAFinishedObjectThenTheStartFails() {
        LockContextRunner.with(executor)
                .withInitializer(context -> context.getBeanFactory().registerSingleton("finished", new OrderService()))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("'finished'")
                        .hasMessageContaining("finished object"));
    }

    @Test
    void whenABeanIsReplacedByAMockThenTheContextOfTheTestStarts() {
        LockContextRunner.with(executor)
                .withInitializer(context -> {
                    ((BeanDefinitionRegistry) context.getBeanFactory())
                            .registerBeanDefinition("orders", new RootBeanDefinition(OrderService.class));
                    context.getBeanFactory().registerSingleton("orders", Mockito.mock(OrderService.class));
                })
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenTheMethodFailsThenItsExceptionPassesThrough() {
        runner().run(context -> assertThatThrownBy(
                        () -> context.getBean(OrderService.class).update("broken"))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage("broken"));
    }

    static class EarliestPostProcessor implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OrderService.class)
    static class OrderConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    @Import(OrdersOfInterface.class)
    static class JdkProxyConfiguration {}

    @Configuration(proxyBeanMethods = false)
    static class EarlyConfiguration {

        @Bean
        OrderService orderService() {
            return new OrderService();
        }

        @Bean
        static EarliestPostProcessor greedy(@Autowired OrderService orderService) {
            return new EarliestPostProcessor();
        }
    }

    public static class OrderService {

        public OrderService() {}

        @DistributionLock(key = "updateOrderStatus")
        public String update(@DistributionLockParam String orderCode) {
            if (orderCode.equals("broken")) {
                throw new IllegalArgumentException(orderCode);
            }
            return "updated " + orderCode;
        }
    }

    interface Orders {

        @DistributionLock(key = "order")
        void update(@DistributionLockParam String orderCode);
    }

    static class OrdersOfInterface implements Orders {

        @Override
        public void update(String orderCode) {}
    }
}
