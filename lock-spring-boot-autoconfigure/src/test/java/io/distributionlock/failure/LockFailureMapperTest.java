package io.distributionlock.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;

/** Which mapper answers for which method. */
@Tag("boot4")
class LockFailureMapperTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... mappers) {
        return LockContextRunner.with(executor, mappers).withUserConfiguration(Service.class);
    }

    private Object call(Service service, Function<Service, ?> method) {
        executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
        return method.apply(service);
    }

    private void withService(Class<?> mappers, Consumer<Service> test) {
        runner(mappers).run(context -> test.accept(context.getBean(Service.class)));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfBareType.class,
                OfOpenType.class,
                OfComponent.class,
                OfGenericSuperclass.class,
                OfStaticMethod.class
            })
    void aMapperServesEveryFormOfItsType(Class<?> mapper) {
        withService(mapper, this::assertEveryFormIsServed);
    }

    private void assertEveryFormIsServed(Service service) {
        assertThat(call(service, Service::bare)).isEqualTo(new Resp<>("busy"));
        assertThat(call(service, Service::open)).isEqualTo(new Resp<>("busy"));
        assertThat(call(service, Service::ofVoid)).isEqualTo(new Resp<>("busy"));
        assertThat(call(service, Service::ofString)).isEqualTo(new Resp<>("busy"));
    }

    @Test
    void aLazyMapperIsCreatedByTheFirstFailure() {
        LazyMapper.created = 0;
        runner(OfLazyBean.class).run(context -> {
            assertThat(LazyMapper.created).isZero();
            assertThat(call(context.getBean(Service.class), Service::open)).isEqualTo(new Resp<>("lazy"));
            assertThat(LazyMapper.created).isOne();
        });
    }

    @Test
    void aMapperOfAParentContextServes() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OfOpenType.class)) {
            runner().withParent(parent).run(context -> assertEveryFormIsServed(context.getBean(Service.class)));
        }
    }

    @Test
    void aMapperOfOneParameterisedTypeServesThatOnly() {
        withService(OfString.class, service -> {
            assertThat(call(service, Service::ofString)).isEqualTo(new Resp<>("string"));
            assertThatThrownBy(() -> call(service, Service::ofVoid)).isInstanceOf(LockNotAcquiredException.class);
            assertThatThrownBy(() -> call(service, Service::bare)).isInstanceOf(LockNotAcquiredException.class);
        });
    }

    @Test
    void theFirstThatServesAnswers() {
        withService(WithOrder.class, service -> {
            assertThat(call(service, Service::open)).isEqualTo(new Resp<>("second"));
            assertThat(call(service, Service::ofString)).isEqualTo(new Resp<>("first"));
        });
    }

    @Test
    void noMapperServesObjectAndOthers() {
        withService(OfOpenType.class, service -> {
            assertThatThrownBy(() -> call(service, Service::object)).isInstanceOf(LockNotAcquiredException.class);
            assertThatThrownBy(() -> call(service, Service::text)).isInstanceOf(LockNotAcquiredException.class);
            assertThatThrownBy(() -> call(service, s -> {
                        s.nothing();
                        return null;
                    }))
                    .isInstanceOf(LockNotAcquiredException.class);
        });
    }

    @Test
    void aMapperOfASupertypeServesIfItsValueFits() {
        withService(OfSupertype.class, service -> {
            assertThat(call(service, Service::special)).isEqualTo(new SpecialResp("fits"));
            assertThatThrownBy(() -> call(service, Service::open))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("OfSupertype")
                    .hasMessageContaining("Service.open(")
                    .hasMessageContaining(Resp.class.getName())
                    .hasMessageContaining(SpecialResp.class.getName());
        });
    }

    @Test
    void nullForAPrimitiveIsAnError() {
        withService(OfNullInteger.class, service -> {
            assertThat(call(service, Service::boxed)).isNull();
            assertThatThrownBy(() -> call(service, Service::number))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("returned null")
                    .hasMessageContaining("Service.number(")
                    .hasMessageContaining("returns int");
        });
    }

    @Test
    void aMapperServesAPrimitiveByItsBoxedType() {
        withService(
                OfInteger.class,
                service -> assertThat(call(service, Service::number)).isEqualTo(-1));
    }

    @Test
    void anExceptionOfTheMapperArrivesAsItIs() {
        withService(
                Throwing.class,
                service -> assertThatThrownBy(() -> call(service, Service::open))
                        .isExactlyInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("teapot"));
    }

    @Test
    void aMapperSeesTheWholeFailure() {
        runner(Recording.class).run(context -> {
            Service service = context.getBean(Service.class);
            call(service, s -> s.update("A1001", null));
            executor.answerNext(new LockOutcome.BackendFailed(Duration.ofMillis(3), new IllegalStateException("down")));
            service.update("A1002", 2);
            executor.answerNext(new LockOutcome.Incompatible(Duration.ZERO, "is held by another as a lock"));
            service.update("A1002", 2);
            executor.answerNext(new LockOutcome.Upgrade(Duration.ZERO, LockKind.WRITE));
            service.update("A1002", 2);
            Thread.currentThread().interrupt();
            service.update("A1003", 3);
            assertThat(Thread.interrupted()).isTrue();

            assertThat(Recording.failures)
                    .extracting(LockFailure::reason)
                    .containsExactly(
                            LockFailureReason.BUSY,
                            LockFailureReason.BACKEND_FAILED,
                            LockFailureReason.INCOMPATIBLE,
                            LockFailureReason.INCOMPATIBLE,
                            LockFailureReason.INTERRUPTED);
            LockFailure first = Recording.failures.get(0);
            assertThat(first.lockName()).isEqualTo("update:A1001");
            assertThat(first.method().getName()).isEqualTo("update");
            assertThat(first.arguments()).containsExactly("A1001", null);
            assertThat(first.waited()).isEqualTo(Duration.ofMillis(12));
            assertThat(first.exception()).hasMessageContaining("update:A1001");
            assertThat(Recording.failures.get(1).exception()).hasRootCauseMessage("down");
        });
    }

    static class BaseResp {

        private final String message;

        BaseResp(String message) {
            this.message = message;
        }

        @Override
        public boolean equals(Object other) {
            return other != null && getClass() == other.getClass() && message.equals(((BaseResp) other).message);
        }

        @Override
        public int hashCode() {
            return message.hashCode();
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + "[" + message + "]";
        }
    }

    static class Resp<T> extends BaseResp {
        Resp(String message) {
            super(message);
        }
    }

    static class SpecialResp extends BaseResp {
        SpecialResp(String message) {
            super(message);
        }
    }

    @SuppressWarnings("rawtypes")
    static class Service {

        @DistributionLock(key = "bare")
        public Resp bare() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "open")
        public Resp<?> open() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "void")
        public Resp<Void> ofVoid() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "string")
        public Resp<String> ofString() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "special")
        public SpecialResp special() {
            return new SpecialResp("ran");
        }

        @DistributionLock(key = "object")
        public Object object() {
            return "ran";
        }

        @DistributionLock(key = "text")
        public String text() {
            return "ran";
        }

        @DistributionLock(key = "nothing")
        public void nothing() {}

        @DistributionLock(key = "number")
        public int number() {
            return 1;
        }

        @DistributionLock(key = "boxed")
        public Integer boxed() {
            return 1;
        }

        @DistributionLock(key = "update")
        public Resp<Void> update(@DistributionLockParam String code, @Nullable Integer status) {
            return new Resp<>("ran");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfBareType {
        @Bean
        @SuppressWarnings("rawtypes")
        LockFailureMapper<Resp> mapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfOpenType {
        @Bean
        LockFailureMapper<Resp<?>> openMapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfStaticMethod {
        @Bean
        static LockFailureMapper<Resp<?>> staticMapper() {
            return failure -> new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ComponentMapper.class)
    static class OfComponent {}

    static class ComponentMapper implements LockFailureMapper<Resp<?>> {
        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ConcreteMapper.class)
    static class OfGenericSuperclass {}

    abstract static class AbstractMapper<X, R extends BaseResp> implements LockFailureMapper<R> {}

    static class ConcreteMapper extends AbstractMapper<String, Resp<?>> {
        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfLazyBean {
        @Bean
        @Lazy
        LockFailureMapper<Resp<?>> lazyMapper() {
            return new LazyMapper();
        }
    }

    static class LazyMapper implements LockFailureMapper<Resp<?>> {
        static int created;

        LazyMapper() {
            created++;
        }

        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("lazy");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfString {
        @Bean
        LockFailureMapper<Resp<String>> stringMapper() {
            return failure -> new Resp<>("string");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfSupertype {
        @Bean
        LockFailureMapper<BaseResp> supertypeMapper() {
            return failure -> new SpecialResp("fits");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOrder {
        @Bean
        @Order(2)
        LockFailureMapper<BaseResp> second() {
            return failure -> new Resp<>("second");
        }

        @Bean
        @Order(1)
        LockFailureMapper<Resp<String>> first() {
            return failure -> new Resp<>("first");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfNullInteger {
        @Bean
        LockFailureMapper<Integer> nullMapper() {
            return failure -> null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfInteger {
        @Bean
        LockFailureMapper<Integer> integerMapper() {
            return failure -> -1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Throwing {
        @Bean
        LockFailureMapper<Resp<?>> throwing() {
            return failure -> {
                throw new UnsupportedOperationException("teapot");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Recording {
        static final List<LockFailure> failures = new ArrayList<>();

        @Bean
        LockFailureMapper<Resp<?>> recording() {
            failures.clear();
            return failure -> {
                failures.add(failure);
                return new Resp<>("busy");
            };
        }
    }
}
