package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.testing.KotlinSource;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.ClassPathResource;

/** Suspending functions and flows are locked until they end. The tests are in Kotlin: {@code suspending.kt}. */
@Tag("boot4")
class SuspendingFunctionTest {

    @TempDir
    private static Path folder;

    @AutoClose
    private static URLClassLoader loader;

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    @BeforeAll
    static void compile() throws Exception {
        loader = KotlinSource.compile(
                new ClassPathResource("suspending.kt", SuspendingFunctionTest.class)
                        .getContentAsString(StandardCharsets.UTF_8),
                folder);
    }

    static Stream<String> cases() {
        return Arrays.stream(type("Cases").getDeclaredMethods())
                .filter(method -> method.getName().contains(" ") && !method.isSynthetic())
                .map(Method::getName)
                .sorted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void inKotlin(String name) {
        LockContextRunner.with(executor, type("Service"), type("ByContract"))
                .withClassLoader(loader)
                .withPropertyValues(
                        "distribution-lock.defaults.try-lock-time=" + (name.contains("not acquired") ? "0s" : "20s"),
                        // For what has an interface.
                        "spring.aop.proxy-target-class=false")
                .withInitializer(context ->
                        ((GenericApplicationContext) context).registerBeanDefinition("mapper", mapper(type("Answer"))))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    run(name, context);
                });
        if (!name.contains("not acquired")) {
            Awaitility.await().until(executor::nothingHeldOrWaiting);
        }
    }

    @ParameterizedTest
    @CsvSource({"Account, AccountTest", "Job, JobTest"})
    void withSpring(String bean, String test) {
        LockContextRunner.with(executor, type("Database"), type(bean))
                .withConfiguration(AutoConfigurations.of(MovedClasses.transactionAutoConfiguration()))
                .withClassLoader(loader)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Object instance = context.getAutowireCapableBeanFactory().createBean(type(test));
                    instance.getClass().getMethod("run").invoke(instance);
                });
    }

    private static RootBeanDefinition mapper(Class<?> answer) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setTargetType(ResolvableType.forClassWithGenerics(LockFailureMapper.class, answer));
        LockFailureMapper<Object> mapper = failure -> {
            try {
                return answer.getConstructor(String.class)
                        .newInstance("mapped " + failure.arguments() + " " + failure.reason());
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        };
        definition.setInstanceSupplier(() -> mapper);
        return definition;
    }

    private void run(String name, AssertableApplicationContext context) throws Exception {
        Constructor<?> constructor = type("Cases").getConstructors()[0];
        Object cases =
                constructor.newInstance(context.getBean(type("Service")), context.getBean(type("Contract")), executor);
        try {
            cases.getClass().getMethod(name).invoke(cases);
        } catch (InvocationTargetException e) {
            throw new AssertionError(name, e.getCause());
        }
    }

    private static Class<?> type(String name) {
        try {
            return loader.loadClass("k." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
