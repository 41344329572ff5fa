package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockDefaults;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.FactoryBean;
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

@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class DistributionLockAutoConfigurationTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner() {
        return LockContextRunner.with(executor, OrderConfiguration.class);
    }

    @Test
    void whenStartedThenNoBeanIsCreatedBeforeItsPostProcessors(CapturedOutput output) {
        runner().run(context -> assertThat(output).doesNotContain("not eligible for"));
    }

    @ParameterizedTest
    @ValueSource(classes = {OrderService.class, Led.class})
    void whenSpringBootMakesNoProxiesThenAnnotationsThatNeedOneStopTheStart(Class<?> bean) {
        ApplicationContextRunner off = LockContextRunner.with(executor)
                .withBean("annotated", bean)
                .withPropertyValues("spring.aop.auto=false", "distribution-lock.leader.elections=outbox");
        off.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(InvalidLockDefinitionException.class)
                .hasMessageContaining("bean 'annotated'")
                .hasMessageContaining("Remove spring.aop.auto=false"));
        off.withUserConfiguration(ProxyConfiguration.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Whatever the library adds to all beans: Spring's search for advisors would create these, and all that they need. */
    @Test
    void whenTheApplicationHasAdvisorsAndFactoriesThenNoneIsCreatedTooEarly(CapturedOutput output) {
        runner().withBean("factory", UntypedFactory.class)
                .withBean(
                        Advisor.class, () -> new DefaultPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed))
                .run(context -> assertThat(output).doesNotContain("not eligible for"));
    }

    /** What the advice needs is not searched for by its type: Spring would make this factory, and the bean would be without a lock. */
    @Test
    void whenAFactoryNeedsALockedBeanThenThatIsLocked() {
        LockContextRunner.with(executor, FactoryOfUnknownType.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(OrdersOfInterface.class).update("A1");
            assertThat(executor.names()).containsExactly("order:A1");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OrdersOfInterface.class)
    static class FactoryOfUnknownType {

        @Bean
        FactoryBean<?> factory(OrdersOfInterface needed) {
            assertThat(needed).isNotNull();
            return new UntypedFactory();
        }
    }

    @Test
    void whenProxiesAreOffAndNothingNeedsOneThenTheApplicationStarts() {
        LockContextRunner.with(executor)
                .withPropertyValues("spring.aop.auto=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenTheApplicationMakesTheProxiesItselfThenMethodsAreLocked() {
        runner().withPropertyValues("spring.aop.auto=false")
                .withUserConfiguration(ProxyConfiguration.class)
                .run(this::assertLocked);
    }

    /** Without its proxies the method would run, and say so only in the log. */
    @Test
    void whenProblemsAreOnlyLoggedThenTheLogSaysThatNothingIsLocked(CapturedOutput output) {
        runner().withPropertyValues("spring.aop.auto=false", "distribution-lock.validation=warn")
                .run(context -> {
                    context.getBean(OrderService.class).update("A1001");
                    assertThat(executor.names()).isEmpty();
                    assertThat(output).containsOnlyOnce("RUNS UNLOCKED").contains("spring.aop.auto=false");
                });
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
        LockContextRunner.plain().run(context -> {
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
    void whenReplicasMayTakeLongerToAcknowledgeThanACommandMayTakeThenTheStartFails() {
        LockContextRunner.plain()
                .withPropertyValues("distribution-lock.redis.replica-ack-timeout=1s")
                .run(context -> assertThat(context).hasNotFailed());
        LockContextRunner.plain()
                .withPropertyValues(
                        "distribution-lock.redis.min-replicas-to-ack=1",
                        "distribution-lock.redis.replica-ack-timeout=1s")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("distribution-lock.redis.replica-ack-timeout is 1000ms")
                        .hasMessageContaining("distribution-lock.redis.command-timeout 2000ms"));
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
    void whenABeanIsRegisteredAsAFinishedObjectThenTheStartFails() {
        LockContextRunner.with(executor)
                .withClassLoader(new FilteredClassLoader("org.mockito"))
                .withInitializer(context -> context.getBeanFactory().registerSingleton("finished", new OrderService()))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("'finished'")
                        .hasMessageContaining("finished object"));
    }

    @Test
    void whenABeanIsReplacedByAMockThenTheContextOfTheTestStarts(CapturedOutput output) {
        LockContextRunner.with(executor)
                .withInitializer(context -> {
                    ((BeanDefinitionRegistry) context.getBeanFactory())
                            .registerBeanDefinition("orders", new RootBeanDefinition(OrderService.class));
                    context.getBeanFactory().registerSingleton("orders", Mockito.mock(OrderService.class));
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).containsOnlyOnce("If it is a mock, that is right");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OrderService.class)
    static class OrderConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    @Import(OrdersOfInterface.class)
    static class JdkProxyConfiguration {}

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class ProxyConfiguration {}

    static class Led {

        @LeaderOnly("outbox")
        public void run() {}
    }

    public static class OrderService {

        public OrderService() {}

        @DistributionLock(key = "updateOrderStatus")
        public String update(@DistributionLockParam String orderCode) {
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

    static class UntypedFactory implements FactoryBean<Object> {
        @Override
        public Object getObject() {
            return new Object();
        }

        @Override
        public @Nullable Class<?> getObjectType() {
            return null;
        }
    }
}
