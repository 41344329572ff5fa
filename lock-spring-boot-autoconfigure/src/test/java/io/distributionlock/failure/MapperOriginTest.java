package io.distributionlock.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.ProxyFactoryBean;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** A mapper serves the methods of its type, whatever has made the bean. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class MapperOriginTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... mappers) {
        return LockContextRunner.with(executor, mappers).withUserConfiguration(Service.class);
    }

    private Resp<?> refused(Service service) {
        executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
        return service.find();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ScopedClass.class,
                ScopedLambda.class,
                ScopedOfBareMethod.class,
                FactoryOfClass.class,
                FactoryOfLambda.class,
                FactoryByMethod.class,
                FactoryOfFactory.class,
                LazyFactory.class,
                ProxyFactory.class,
                AdvisedClass.class,
                AdvisedByInterface.class,
                HandMadeProxy.class,
                BareMethod.class,
                WildcardMethod.class,
                ObjectMethod.class,
                SubclassOfGeneric.class,
                GenericSubclass.class,
                LazyLambda.class,
                PrototypeLambda.class,
                PrototypeClass.class,
                OwnInterface.class,
                OwnLambda.class,
                Singleton.class
            })
    void itServes(Class<?> mapper, CapturedOutput output) {
        runner(mapper)
                .withInitializer(context -> {
                    ConfigurableListableBeanFactory beans = context.getBeanFactory();
                    beans.registerScope("thread", new SimpleThreadScope());
                    if (mapper == Singleton.class) {
                        beans.registerSingleton("registered", new Busy());
                    }
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(refused(context.getBean(Service.class))).isEqualTo(new Resp<>("busy"));
                    assertThat(refused(context.getBean(Service.class))).isEqualTo(new Resp<>("busy"));
                });
        assertThat(output).doesNotContain("LockFailureMapper");
    }

    @ParameterizedTest
    @ValueSource(classes = {ScopedClass.class, FactoryOfClass.class, PrototypeLambda.class})
    void itServesAsABeanOfAParent(Class<?> mapper) {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
            parent.getBeanFactory().registerScope("thread", new SimpleThreadScope());
            parent.register(mapper);
            parent.refresh();
            runner().withParent(parent)
                    .run(context ->
                            assertThat(refused(context.getBean(Service.class))).isEqualTo(new Resp<>("busy")));
        }
    }

    /** It is asked where there is no request, as at the start. */
    @Test
    void aScopeThatIsNotActiveAtTheStartDoesNotMatter() {
        OutOfScope.active.set(false);
        runner(OutOfScope.class).run(context -> {
            assertThat(context).hasNotFailed();
            OutOfScope.active.set(true);
            assertThat(refused(context.getBean(Service.class))).isEqualTo(new Resp<>("first"));
        });
    }

    @Test
    void aPrototypeIsMadeForEachFailure() {
        Made.count.set(0);
        runner(Counting.class).run(context -> {
            refused(context.getBean(Service.class));
            refused(context.getBean(Service.class));
            assertThat(Made.count).hasValue(2);
        });
    }

    /** To look at its type or its order is no reason. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                LazyWithoutType.class,
                PrototypeWithoutType.class,
                ScopedWithoutType.class,
                FactoryOfPrototypes.class,
                Several.class
            })
    void theStartMakesNoneThatIsMadeLater(Class<?> mappers, CapturedOutput output) {
        Made.count.set(0);
        runner(mappers)
                .withInitializer(context -> context.getBeanFactory().registerScope("thread", new SimpleThreadScope()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(Made.count).hasValue(0);
                    assertThat(refused(context.getBean(Service.class))).isEqualTo(new Resp<>("busy"));
                    assertThat(Made.count).hasPositiveValue();
                });
        assertThat(output).doesNotContain("LockFailureMapper");
    }

    record Resp<T>(String message) {}

    static class Service {

        @DistributionLock(key = "find")
        public Resp<String> find() {
            return new Resp<>("ran");
        }
    }

    static class Busy implements LockFailureMapper<Resp<?>> {
        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    @Component
    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class ScopedClass extends Busy {}

    @Configuration(proxyBeanMethods = false)
    static class ScopedLambda {
        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        LockFailureMapper<Resp<?>> mapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedOfBareMethod {
        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Busy mapper() {
            return new Busy();
        }
    }

    static class FactoryOfClass implements FactoryBean<Busy> {
        @Override
        public Busy getObject() {
            return new Busy();
        }

        @Override
        public Class<?> getObjectType() {
            return Busy.class;
        }
    }

    static class FactoryOfLambda implements FactoryBean<LockFailureMapper<Resp<?>>> {
        @Override
        public LockFailureMapper<Resp<?>> getObject() {
            return failure -> new Resp<>("busy");
        }

        @Override
        public Class<?> getObjectType() {
            return LockFailureMapper.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryByMethod {
        @Bean
        FactoryBean<LockFailureMapper<Resp<?>>> mapper() {
            return new FactoryOfLambda();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FactoryOfFactory {
        @Bean
        static FactoryOfLambda mapper() {
            return new FactoryOfLambda();
        }
    }

    @Component
    @Lazy
    static class LazyFactory extends FactoryOfLambda {}

    @Configuration(proxyBeanMethods = false)
    static class ProxyFactory {
        @Bean
        ProxyFactoryBean mapper() {
            ProxyFactoryBean proxy = new ProxyFactoryBean();
            proxy.setTarget(new Busy());
            proxy.addAdvice((MethodInterceptor) MethodInvocation::proceed);
            return proxy;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AdvisedClass {
        @Bean
        Watched mapper() {
            return new Watched();
        }

        @Bean
        static Advisor advisor() {
            return new DefaultPointcutAdvisor(
                    AnnotationMatchingPointcut.forClassAnnotation(Order.class),
                    (MethodInterceptor) MethodInvocation::proceed);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AdvisedByInterface extends AdvisedClass {
        @Bean
        static BeanFactoryPostProcessor byInterface() {
            return beans -> beans.getBeanDefinition("mapper")
                    .setAttribute(
                            "org.springframework.aop.framework.autoproxy.AutoProxyUtils.preserveTargetClass", false);
        }

        @Override
        @Bean
        Watched mapper() {
            return new Watched();
        }
    }

    @Order(1)
    static class Watched extends Busy {}

    @Configuration(proxyBeanMethods = false)
    static class HandMadeProxy {
        @Bean
        LockFailureMapper<Resp<?>> mapper() {
            Busy target = new Busy();
            return (LockFailureMapper<Resp<?>>) Proxy.newProxyInstance(
                    Busy.class.getClassLoader(),
                    new Class<?>[] {LockFailureMapper.class},
                    (proxy, method, arguments) -> method.invoke(target, arguments));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @SuppressWarnings("rawtypes")
    static class BareMethod {
        @Bean
        LockFailureMapper mapper() {
            return new Busy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WildcardMethod {
        @Bean
        LockFailureMapper<?> mapper() {
            return new Busy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ObjectMethod {
        @Bean
        Object mapper() {
            return new Busy();
        }
    }

    abstract static class Base<X, R> implements LockFailureMapper<Resp<R>> {
        @Override
        public Resp<R> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    @Component
    static class SubclassOfGeneric extends Base<Integer, String> {}

    @Component
    static class GenericSubclass<T> extends Base<Integer, T> {}

    @Configuration(proxyBeanMethods = false)
    static class LazyLambda {
        @Bean
        @Lazy
        LockFailureMapper<Resp<?>> mapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeLambda {
        @Bean
        @Scope("prototype")
        LockFailureMapper<Resp<?>> mapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Component
    @Scope("prototype")
    static class PrototypeClass extends Busy {}

    interface OfResp extends LockFailureMapper<Resp<?>> {}

    @Component
    static class OwnInterface implements OfResp {
        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLambda {
        @Bean
        OfResp mapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Singleton {}

    static class Made extends Busy {
        static final AtomicInteger count = new AtomicInteger();

        Made() {
            count.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Counting {
        @Bean
        @Scope("prototype")
        Made mapper() {
            return new Made();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyWithoutType {
        @Bean
        @Lazy
        LockFailureMapper<?> mapper() {
            return new Made();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeWithoutType {
        @Bean
        @Scope("prototype")
        LockFailureMapper<?> mapper() {
            return new Made();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedWithoutType {
        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
        LockFailureMapper<?> mapper() {
            return new Made();
        }
    }

    static class FactoryOfPrototypes implements FactoryBean<LockFailureMapper<?>> {
        @Override
        public LockFailureMapper<?> getObject() {
            return new Made();
        }

        @Override
        public Class<?> getObjectType() {
            return LockFailureMapper.class;
        }

        @Override
        public boolean isSingleton() {
            return false;
        }
    }

    /** Of which the start cannot know which comes first. */
    @Configuration(proxyBeanMethods = false)
    static class Several {
        @Bean
        @Scope("prototype")
        Made prototype() {
            return new Made();
        }

        @Bean
        @Lazy
        Made lazy() {
            return new Made();
        }

        @Bean
        @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
        MadeInOrder scoped() {
            return new MadeInOrder();
        }
    }

    static class MadeInOrder extends Made implements Ordered {
        @Override
        public int getOrder() {
            return 1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OutOfScope {
        static final AtomicBoolean active = new AtomicBoolean();

        @Bean
        static CustomScopeConfigurer scope() {
            CustomScopeConfigurer scope = new CustomScopeConfigurer();
            scope.addScope("call", new SimpleThreadScope() {
                @Override
                public Object get(String name, ObjectFactory<?> factory) {
                    if (!active.get()) {
                        throw new IllegalStateException("there is no call");
                    }
                    return super.get(name, factory);
                }
            });
            return scope;
        }

        @Bean
        @Order(2)
        Busy second() {
            return new Busy();
        }

        @Bean
        @Scope(scopeName = "call", proxyMode = ScopedProxyMode.TARGET_CLASS)
        First first() {
            return new First();
        }
    }

    static class First extends Busy implements Ordered {
        @Override
        public int getOrder() {
            return 1;
        }

        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("first");
        }
    }
}
