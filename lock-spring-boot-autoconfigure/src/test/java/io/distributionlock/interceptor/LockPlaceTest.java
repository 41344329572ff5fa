package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;

/** Where the annotation may stand. */
@Tag("boot4")
class LockPlaceTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... configurations) {
        return LockContextRunner.with(executor, configurations);
    }

    static Stream<Arguments> places() {
        return Stream.of(
                place(
                        StringHandler.class,
                        bean -> {
                            bean.handle("A1");
                            Handler<String> handler = bean;
                            handler.handle("A2");
                        },
                        "handle:A1",
                        "handle:A2"),
                place(
                        Child.class,
                        bean -> {
                            bean.overridden("A1");
                            bean.inherited("A2");
                        },
                        "overridden:A1",
                        "inherited:A2"),
                place(ImplementedAbove.class, bean -> bean.update("A1"), "orders:A1"),
                place(UsesDefault.class, WithDefault::byDefault, "default"),
                place(Nearest.class, bean -> bean.update("A1"), "nearest:A1"),
                place(LessVisible.class, LessVisible::shared, "shared"),
                place(LessVisible.class, LessVisible::local, "local"),
                place(ChildOfWhole.class, ChildOfWhole::more, "class"),
                place(ChildOfWhole.class, WholeClass::two, "class"),
                place(OfWholeInterface.class, OfWholeInterface::first, "interface"),
                place(OfWholeInterface.class, OfWholeInterface::other),
                place(RepeatedOnClass.class, RepeatedOnClass::work, "a", "b"),
                place(RepeatedByAnnotation.class, RepeatedByAnnotation::work, "c", "d"));
    }

    private static <T> Arguments place(Class<T> type, Consumer<T> calls, String... names) {
        return Arguments.of(type, calls, List.of(names));
    }

    @ParameterizedTest
    @MethodSource("places")
    <T> void aCallAsksForItsLocks(Class<T> type, Consumer<T> calls, List<String> names) {
        runner(type).run(context -> {
            calls.accept(context.getBean(type));
            assertThat(executor.names()).isEqualTo(names);
        });
    }

    // ------------------------------------------------------------------ interfaces and superclasses

    @Test
    void onAnInterfaceWithClassProxies() {
        runner(OrdersBean.class).run(context -> {
            assertThat(AopUtils.isCglibProxy(context.getBean(Orders.class))).isTrue();
            context.getBean(Orders.class).update("A1");
            context.getBean(OrdersBean.class).update("A2");
            assertThat(executor.names()).containsExactly("orders:A1", "orders:A2");
        });
    }

    @Test
    void onAnInterfaceWithJdkProxies() {
        runner(OrdersBean.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Orders.class)))
                            .isTrue();
                    context.getBean(Orders.class).update("A1");
                    assertThat(executor.names()).containsExactly("orders:A1");
                });
    }

    @Test
    void onAFinalClassWithJdkProxies() {
        runner(FinalOrders.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    context.getBean(Orders.class).update("A1");
                    assertThat(executor.names()).containsExactly("orders:A1");
                });
    }

    @Test
    void onAClassBehindAJdkProxy() {
        runner(AnnotatedBehindInterface.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    context.getBean(Plain.class).work();
                    assertThat(executor.names()).containsExactly("behind");
                });
    }

    @Test
    void onAMethodThatNoJdkProxyHasStopsTheStart() {
        runner(NotInInterface.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("NotInInterface.extra()")
                        .hasMessageContaining("interface"));
    }

    // ------------------------------------------------------------------ classes

    @Test
    void onAClassItAppliesToEveryPublicMethod() {
        runner(WholeClass.class).run(context -> {
            WholeClass bean = context.getBean(WholeClass.class);
            bean.one("A1");
            bean.two();
            bean.own();
            bean.hidden();
            assertThat(bean.toString()).isEqualTo("whole");
            assertThat(executor.names()).containsExactly("class:A1", "class", "own");
        });
    }

    @Test
    void onAClassWithAFinalMethodItStopsTheStart() {
        runner(WholeWithFinal.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasMessageContaining("WholeWithFinal.sealed()")
                        .hasMessageContaining("final"));
    }

    @Test
    void onAGenericSuperclassWhoseMethodIsOverriddenThereIsOneLockWhicheverWayItIsCalled() {
        runner(NumberStore.class).run(context -> {
            context.getBean(NumberStore.class).put(7);
            Store<Integer> store = context.getBean(NumberStore.class);
            store.put(8);
            assertThat(executor.events())
                    .containsExactly("lock store:7", "unlock store:7", "lock store:8", "unlock store:8");
        });
    }

    // ------------------------------------------------------------------ composed and repeated

    @Test
    void onAnotherAnnotation() {
        runner(Composed.class).run(context -> {
            context.getBean(Composed.class).work("A1");
            assertThat(executor.names()).containsExactly("stock:A1");
            assertThat(executor.requests().get(0).tryLockTime()).isEqualTo(Duration.ofMillis(250));
        });
    }

    @Test
    void severalTimesOnOneMethod() {
        runner(Repeated.class).run(context -> {
            context.getBean(Repeated.class).move("A1");
            assertThat(executor.events())
                    .containsExactly(
                            "lock account:A1", "lock zone:A1", "inside", "unlock zone:A1", "unlock account:A1");
        });
    }

    @Test
    void severalTimesForTheSameNameIsOneLock() {
        runner(RepeatedSame.class).run(context -> {
            context.getBean(RepeatedSame.class).work();
            assertThat(executor.names()).containsExactly("same");
            assertThat(executor.requests().get(0).renewed()).isTrue();
        });
    }

    @Test
    void aScheduledLockMakesOneAttemptAndSkips() {
        runner(Job.class).run(context -> {
            executor.occupy("job");
            context.getBean(Job.class).run();
            assertThat(executor.events()).containsExactly("lock job");
            assertThat(executor.requests().get(0).tryLockTime()).isZero();
            assertThat(executor.requests().get(0).minHoldTime()).isEqualTo(Duration.ofMillis(600));
            assertThat(executor.requests().get(0).leaseTime()).isEqualTo(Duration.ofMillis(900));
            assertThat(executor.requests().get(0).renewed()).isFalse();
        });
    }

    // ------------------------------------------------------------------ proxies

    @Test
    void aTargetThatIsAProxyIsLockedOnce() {
        runner(ProxyOfProxy.class).run(context -> {
            context.getBean("outer", Orders.class).update("A1");
            assertThat(executor.requests()).hasSize(1);
            assertThat(executor.events()).containsExactly("lock orders:A1", "unlock orders:A1");
            context.getBean("inner", Orders.class).update("A2");
            assertThat(executor.names()).containsExactly("orders:A1", "orders:A2");
        });
    }

    @Test
    void twoAutoProxyCreatorsLockOnce() {
        runner(TwoCreators.class).run(context -> {
            context.getBean("ordersBean", Orders.class).update("A1");
            context.getBean("ordersBean", Orders.class).update("A2");
            assertThat(executor.names()).containsExactly("orders:A1", "orders:A2");
        });
    }

    @Test
    void aScopedBeanIsLocked() {
        runner(ScopedConfiguration.class).run(context -> {
            context.getBean(OrdersBean.class).update("A1");
            assertThat(executor.names()).containsExactly("orders:A1");
        });
    }

    @Test
    void aProxyWithOurAdvisorByHandIsLocked() {
        runner(OrdersBean.class).run(context -> {
            ProxyFactory factory = new ProxyFactory(new OrdersBean());
            factory.addAdvisor(context.getBean(DistributionLockAdvisor.class));
            ((Orders) factory.getProxy()).update("A1");
            assertThat(executor.names()).containsExactly("orders:A1");
        });
    }

    // ------------------------------------------------------------------ what is locked

    interface Orders {
        @DistributionLock(key = "orders")
        void update(@DistributionLockParam String code);
    }

    static class OrdersBean implements Orders {
        @Override
        public void update(String code) {}
    }

    static final class FinalOrders implements Orders {
        @Override
        public void update(String code) {}
    }

    interface Plain {
        void work();
    }

    static class AnnotatedBehindInterface implements Plain {
        @Override
        @DistributionLock(key = "behind")
        public void work() {}
    }

    static class NotInInterface implements Plain {
        @Override
        public void work() {}

        @DistributionLock(key = "extra")
        public void extra() {}
    }

    interface Handler<T> {
        @DistributionLock(key = "handle")
        void handle(@DistributionLockParam T value);
    }

    static class StringHandler implements Handler<String> {
        @Override
        public void handle(String value) {}
    }

    static class Parent {
        @DistributionLock(key = "overridden")
        public void overridden(@DistributionLockParam String code) {}

        @DistributionLock(key = "inherited")
        public void inherited(@DistributionLockParam String code) {}
    }

    static class Child extends Parent {
        @Override
        public void overridden(String code) {}
    }

    static class Implementation {
        public void update(String code) {}
    }

    static class ImplementedAbove extends Implementation implements Orders {}

    interface WithDefault {
        @DistributionLock(key = "default")
        default void byDefault() {}
    }

    static class UsesDefault implements WithDefault {}

    static class Nearest implements Orders {
        @Override
        @DistributionLock(key = "nearest")
        public void update(String code) {}
    }

    abstract static class Store<T> {
        @DistributionLock(key = "store")
        public abstract void put(@DistributionLockParam T value);
    }

    static class NumberStore extends Store<Integer> {
        @Override
        public void put(Integer value) {}
    }

    @DistributionLock(key = "b")
    @DistributionLock(key = "a")
    static class RepeatedOnClass {
        public void work() {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributionLock(key = "d")
    @DistributionLock(key = "c")
    @interface BothLocks {}

    static class RepeatedByAnnotation {
        @BothLocks
        public void work() {}
    }

    static class LessVisible {
        @DistributionLock(key = "shared")
        protected void shared() {}

        @DistributionLock(key = "local")
        void local() {}
    }

    @DistributionLock(key = "class")
    static class WholeClass {
        public void one(@DistributionLockParam String code) {}

        public void two() {}

        @DistributionLock(key = "own")
        public void own() {}

        void hidden() {}

        public static void helper() {}

        @Override
        public String toString() {
            return "whole";
        }
    }

    static class ChildOfWhole extends WholeClass {
        public void more() {}
    }

    @DistributionLock(key = "interface")
    interface WholeInterface {
        void first();
    }

    static class OfWholeInterface implements WholeInterface {
        @Override
        public void first() {}

        public void other() {}
    }

    @DistributionLock(key = "class")
    static class WholeWithFinal {
        public final void sealed() {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributionLock(key = "", onBusy = OnBusy.THROW)
    @interface StockLock {
        @AliasFor(annotation = DistributionLock.class, attribute = "key")
        String value();

        @AliasFor(annotation = DistributionLock.class, attribute = "tryLockTime")
        long patience() default 250;
    }

    static class Composed {
        @StockLock("stock")
        public void work(@DistributionLockParam String code) {}
    }

    static class Repeated {
        private final ScriptedLockExecutor executor;

        Repeated(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        @DistributionLock(key = "zone")
        @DistributionLock(key = "account")
        public void move(@DistributionLockParam String code) {
            executor.events().add("inside");
        }
    }

    static class RepeatedSame {
        @DistributionLock(key = "same", holdLockTime = 1000)
        @DistributionLock(key = "same")
        public void work() {}
    }

    static class Job {
        private final ScriptedLockExecutor executor;

        Job(ScriptedLockExecutor executor) {
            this.executor = executor;
        }

        @ScheduledLock(name = "job", lockAtLeastFor = "600ms", lockAtMostFor = "900ms")
        public void run() {
            executor.events().add("ran");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProxyOfProxy {
        @Bean
        Orders inner() {
            return new OrdersBean();
        }

        @Bean
        ProxyFactoryBean outer(Orders inner) {
            ProxyFactoryBean factory = new ProxyFactoryBean();
            factory.setTarget(inner);
            factory.setInterfaces(Orders.class);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoCreators {
        @Bean
        OrdersBean ordersBean() {
            return new OrdersBean();
        }

        @Bean
        static BeanNameAutoProxyCreator second() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("ordersBean");
            creator.setInterceptorNames("distributionLockAdvisor");
            return creator;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedConfiguration {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        OrdersBean scopedOrders() {
            return new OrdersBean();
        }
    }
}
