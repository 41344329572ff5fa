package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.interceptor.elsewhere.HiddenParent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import jakarta.annotation.PostConstruct;
import java.lang.reflect.Proxy;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.core.PriorityOrdered;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** However a bean is created and whatever calls it: its method is locked, or the start fails. */
@Tag("boot4")
class LockReachTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... configurations) {
        return LockContextRunner.with(executor, configurations);
    }

    private void assertRefused(Class<?> configuration, String... texts) {
        runner(configuration)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContainingAll(texts));
    }

    /** Where a bean without its proxy cannot be a mock. */
    private void assertRefusedInProduction(Class<?> configuration, String... texts) {
        runner(configuration)
                .withClassLoader(new FilteredClassLoader("org.mockito"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContainingAll(texts));
    }

    interface Orders {
        @DistributionLock(key = "orders")
        void update(@DistributionLockParam String code);
    }

    public interface PlainOrders {
        void update(String code);
    }

    static class LockedInClass implements PlainOrders {
        @Override
        @DistributionLock(key = "orders")
        public void update(@DistributionLockParam String code) {}
    }

    // ------------------------------------------------------------------ how a bean comes to be

    @ParameterizedTest
    @ValueSource(
            classes = {
                LambdaBean.class,
                AnonymousBean.class,
                ProductOfFactory.class,
                JdkProxyOfInterface.class,
                PrototypeBean.class
            })
    void aBeanOfAnyOriginIsLocked(Class<?> configuration) {
        runner(configuration).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Orders.class).update("A1");
            assertThat(executor.names()).containsExactly("orders:A1");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaBean {
        @Bean
        Orders orders() {
            return code -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnonymousBean {
        @Bean
        Orders orders() {
            return new Orders() {
                @Override
                public void update(String code) {}
            };
        }
    }

    /** As repositories and clients come to be. */
    @Configuration(proxyBeanMethods = false)
    static class ProductOfFactory {
        @Bean
        FactoryBean<Orders> orders() {
            return new FactoryBean<>() {
                @Override
                public Orders getObject() {
                    return jdkProxy();
                }

                @Override
                public Class<?> getObjectType() {
                    return Orders.class;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class JdkProxyOfInterface {
        @Bean
        Orders orders() {
            return jdkProxy();
        }
    }

    private static Orders jdkProxy() {
        return (Orders) Proxy.newProxyInstance(
                Orders.class.getClassLoader(), new Class<?>[] {Orders.class}, (proxy, method, arguments) -> null);
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeBean {
        @Bean
        @Scope("prototype")
        Orders orders() {
            return code -> {};
        }
    }

    @Test
    void aBeanWithLookupMethodsIsLocked() {
        runner(WithLookup.class).run(context -> {
            context.getBean(WithLookup.class).update("A1");
            assertThat(executor.names()).containsExactly("lookup:A1");
        });
    }

    abstract static class WithLookup {
        @DistributionLock(key = "lookup")
        public void update(@DistributionLockParam String code) {
            assertThat(other()).isNotNull();
        }

        @Lookup
        protected abstract ScriptedLockExecutor other();
    }

    @Test
    void boundPropertiesAreLocked() {
        runner(PropertiesConfiguration.class)
                .withPropertyValues("bound.code=B1")
                .run(context -> {
                    context.getBean(Bound.class).update("A1");
                    assertThat(executor.names()).containsExactly("bound:A1");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(Bound.class)
    static class PropertiesConfiguration {}

    @ConfigurationProperties("bound")
    static class Bound {
        private final String code;

        Bound(String code) {
            this.code = code;
        }

        @DistributionLock(key = "bound")
        public String update(@DistributionLockParam String part) {
            return code + part;
        }
    }

    @Test
    void aProxyByHandWithAnAnnotatedTargetIsRefused() {
        assertRefusedInProduction(ProxyByHand.class, "'orders'", "not proxied");
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxyByHand {
        @Bean
        PlainOrders orders() {
            return (PlainOrders) new ProxyFactory(new LockedInClass()).getProxy();
        }
    }

    @Test
    void aBeanThatAPostProcessorNeedsIsRefused() {
        assertRefusedInProduction(EarlyBean.class, "lockedInClass", "created too early");
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyBean {
        @Bean
        static LockedInClass lockedInClass() {
            return new LockedInClass();
        }

        @Bean
        static EarlyPostProcessor postProcessor(LockedInClass needed) {
            return new EarlyPostProcessor();
        }

        static class EarlyPostProcessor implements BeanPostProcessor, PriorityOrdered {
            @Override
            public int getOrder() {
                return HIGHEST_PRECEDENCE;
            }
        }
    }

    // ------------------------------------------------------------------ who calls it

    @Test
    void aPackagePrivateJobAndAListenerAreLocked() {
        runner(JobConfiguration.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.publishEvent("A1");
            Awaitility.await().untilAsserted(() -> assertThat(executor.names()).contains("job", "listener:A1"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class JobConfiguration {
        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {
        @Scheduled(fixedDelay = 60_000)
        @ScheduledLock(name = "job")
        void run() {}

        @EventListener
        @DistributionLock(key = "listener")
        void on(@DistributionLockParam String event) {}
    }

    /** The container calls these on the object itself. */
    @ParameterizedTest
    @ValueSource(classes = {Constructed.class, Initializing.class})
    void aMethodThatTheContainerCallsOnTheObjectIsRefused(Class<?> bean) {
        assertRefused(bean, bean.getSimpleName(), "on the object itself");
    }

    static class Constructed {
        @PostConstruct
        @DistributionLock(key = "constructed")
        public void migrate() {}
    }

    static class Initializing implements InitializingBean {
        @Override
        @DistributionLock(key = "initializing")
        public void afterPropertiesSet() {}
    }

    // ------------------------------------------------------------------ what a proxy overrides

    @Test
    void aPackagePrivateMethodOfAnotherPackageIsRefused() {
        assertRefused(ChildOfHidden.class, "HiddenParent.work()", "package-private");
    }

    static class ChildOfHidden extends HiddenParent {}

    // ------------------------------------------------------------------ the words of other annotations

    @Test
    void aJobIsReportedInTheTermsOfItsAnnotation() {
        runner(WrongJobs.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .hasMessageContainingAll(
                            "WrongJobs.halves(): lockAtMostFor = \"1h 30\"",
                            "Write milliseconds, a duration",
                            "lockAtLeastFor is -5 ms",
                            "lockAtLeastFor (2000 ms) is longer than lockAtMostFor (1000 ms)",
                            "has a blank name",
                            "means onBusy = SKIP, but the method returns int",
                            "the name '#{#nobody}' names #nobody");
            assertThat(context.getStartupFailure().getMessage())
                    .doesNotContain("holdLockTime", "minHoldTime", "@DistributionLock on", "'key'");
        });
    }

    static class WrongJobs {
        @ScheduledLock(name = "job", lockAtMostFor = "1h 30")
        public void halves() {}

        @ScheduledLock(name = "job", lockAtLeastFor = "-5")
        public void negative() {}

        @ScheduledLock(name = "job", lockAtLeastFor = "2s", lockAtMostFor = "1s")
        public void tooShort() {}

        @ScheduledLock(name = " ")
        public void blank() {}

        @ScheduledLock(name = "job")
        public int number() {
            return 1;
        }

        @ScheduledLock(name = "#{#nobody}")
        public List<String> expression() {
            return List.of();
        }
    }
}
