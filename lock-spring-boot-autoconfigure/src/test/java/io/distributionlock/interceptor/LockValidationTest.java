package io.distributionlock.interceptor;

import static io.distributionlock.testing.StartupFailures.analyze;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;

/** Misuse stops the start, with an analysis that names the method and the action. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LockValidationTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... beans) {
        return LockContextRunner.with(executor, beans);
    }

    @Test
    void whenABeanThatAppearsLaterNeedsTheDefaultAndThereIsNoneThenItIsRefused() {
        LockContextRunner.plain().withBean("late", HiddenBean.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThatThrownBy(() -> context.getBean("late"))
                    .rootCause()
                    .isInstanceOf(InvalidLockDefinitionException.class)
                    .hasMessageContaining("no LockTemplate that could lock them");
        });
    }

    @Test
    void whenThePlaceholderOfAConditionIsBlankThenTheStartFails() {
        runner(ConditionByNoProperty.class)
                .withPropertyValues("nobody.knows=")
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("the condition '${nobody.knows}' is blank"));
    }

    /** An unknown name is null, which may make the condition false: the method would run unlocked. */
    @Test
    void whenAWrongConditionIsOnlyReportedThenTheMethodDoesNotRun() {
        runner(ConditionOnNothing.class)
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(ConditionOnNothing.class).work("A1"))
                        .isInstanceOf(InvalidLockDefinitionException.class));
    }

    @Test
    void whenAPrivateMethodOfASuperclassIsAnnotatedThenTheStartFails() {
        runner(ChildOfPrivateMethod.class)
                .run(context ->
                        assertThat(context).hasFailed().getFailure().hasMessageContaining("PrivateMethod.work()"));
    }

    @Test
    void whenALazyBeanIsMisusedThenTheStartFailsWithoutCreatingIt() {
        CountingLazy.created = 0;
        runner(LazyConfiguration.class).run(context -> {
            assertThat(context).hasFailed().getFailure().hasMessageContaining("CountingLazy.work()");
            assertThat(CountingLazy.created).isZero();
        });
    }

    @Test
    void whenAPrototypeIsMisusedThenTheStartFails() {
        runner(PrototypeConfiguration.class)
                .run(context ->
                        assertThat(context).hasFailed().getFailure().hasMessageContaining("FinalMethod.work()"));
    }

    @Test
    void whenSeveralThingsAreWrongThenAllOfThemAreNamed() {
        runner(BlankKey.class, ZeroHoldTime.class, PrivateMethod.class, FinalClass.class)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("BlankKey.work()", "ZeroHoldTime.work()", "PrivateMethod.work()", "FinalClass.work()")
                        .contains("1. ", "2. ", "3. ", "4. "));
    }

    @Test
    void whenSeveralThingsAreWrongThenTheyAreInTheOrderOfClassesMethodsAndTexts() {
        runner(ZeroHoldTime.class, ManyMistakes.class, BlankKey.class)
                .run(context -> assertThat(((InvalidLockDefinitionException) context.getStartupFailure()).problems())
                        .extracting(problem -> problem.description().replaceFirst(".*\\$", ""))
                        .containsExactly(
                                "BlankKey.work() has a blank key.",
                                "ManyMistakes.a() has a blank key.",
                                "ManyMistakes.a(): tryLockTime is -2 ms: a waiting time is zero (one attempt) or more.",
                                "ManyMistakes.b() has a blank key.",
                                "ManyMistakes.b(int) has a blank key.",
                                "ManyMistakes.c() has a blank key.",
                                "ManyMistakes.d() has a blank key.",
                                "ManyMistakes.e() has a blank key.",
                                "ManyMistakes.e() has an empty delimiter.",
                                "ZeroHoldTime.work(): holdLockTime is 0 ms: a lock is held for at least 1 ms."));
    }

    @Test
    void whenValidationOnlyWarnsThenTheApplicationStartsAndTheWrongMethodStillDoesNotRun(CapturedOutput output) {
        runner(ZeroHoldTime.class)
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("ZeroHoldTime.work()").contains("holdLockTime is 0 ms");
                    assertThatThrownBy(() -> context.getBean(ZeroHoldTime.class).work())
                            .isInstanceOf(InvalidLockDefinitionException.class)
                            .hasMessageContaining("holdLockTime is 0 ms");
                    assertThat(executor.requests()).isEmpty();
                });
    }

    @Test
    void whenValidationOnlyWarnsThenAMethodThatNoProxyReachesRunsUnlockedAndTheStartSaysSo(CapturedOutput output) {
        LockContextRunner.with(
                        executor, FinalMethod.class, FinalClass.class, PrivateMethod.class, ParameterWithoutLock.class)
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output.getOut().lines().filter(line -> line.contains("RUNS UNLOCKED")))
                            .anyMatch(line -> line.contains("FinalMethod.work()"))
                            .anyMatch(line -> line.contains("FinalClass.work()"))
                            .anyMatch(line -> line.contains("PrivateMethod.work()"))
                            .anyMatch(line -> line.contains("ParameterWithoutLock.work("));
                    context.getBean(FinalMethod.class).work();
                    context.getBean(FinalClass.class).work();
                    context.getBean(PrivateMethod.class).call();
                    assertThat(executor.requests()).isEmpty();
                });
        assertThat(output.getOut().lines().filter(line -> line.contains("RUNS UNLOCKED")))
                .noneMatch(line -> line.contains("ZeroHoldTime"));
    }

    @Test
    void whenTheApplicationHasItsOwnKeyResolverThenEverythingButTheKeyIsStillChecked() {
        runner(ZeroHoldTime.class)
                .withBean(LockKeyResolver.class, () -> call -> List.of("mine"))
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("ZeroHoldTime.work()", "holdLockTime is 0 ms"));
        runner(UnknownVariable.class)
                .withBean(LockKeyResolver.class, () -> call -> List.of("mine"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whenTheApplicationOnlyRenamesLocksThenTheKeyIsStillChecked() {
        runner(UnknownVariable.class)
                .withUserConfiguration(Renaming.class)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("UnknownVariable.work()", "#nobody"));
    }

    @Test
    void whenTheApplicationOnlyRenamesLocksThenTheNamesAreChangedAndStayShort() {
        runner(Renamed.class).withUserConfiguration(Renaming.class).run(context -> {
            context.getBean(Renamed.class).work("A1");
            context.getBean(Renamed.class).work("x".repeat(500));
            assertThat(executor.names().get(0)).isEqualTo("tenant:order:A1");
            assertThat(executor.names().get(1)).startsWith("tenant:order:xxx").hasSize(512);
        });
    }

    @Test
    void whenAMapperDoesNotSayItsTypeThenTheStartFails() {
        runner(RawMapper.class)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("'untyped'", "does not say which return type"));
    }

    @Test
    void whenAMapperAnswersForObjectThenTheStartFails() {
        runner(ObjectMapperForAll.class)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("'forAll'", "does not say which return type"));
    }

    @Test
    void whenAnApplicationIsMisusedThenSpringBootPrintsTheAnalysis(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplicationBuilder(MisusedApplication.class)
                        .web(WebApplicationType.NONE)
                        .run())
                .isInstanceOf(InvalidLockDefinitionException.class);
        assertThat(output)
                .contains(
                        "APPLICATION FAILED TO START",
                        "ZeroHoldTime.work(): holdLockTime is 0 ms",
                        "Correct each of them",
                        "distribution-lock.validation=warn");
    }

    @Test
    void whenTheValuesAreAtTheirLimitsThenTheApplicationStarts() {
        runner(Limits.class).run(context -> {
            assertThat(context).hasNotFailed();
            Consumer<Limits> call = bean -> {
                bean.unset();
                bean.once();
                bean.patient();
            };
            call.accept(context.getBean(Limits.class));
            assertThat(executor.names()).containsExactly("unset", "once", "patient");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, DistributionLockAutoConfiguration.class})
    @Import(ZeroHoldTime.class)
    static class MisusedApplication {
        @Bean
        ScriptedLockExecutor executor() {
            return new ScriptedLockExecutor();
        }
    }

    static class BlankKey {
        @DistributionLock(key = " ")
        public void work() {}
    }

    static class ZeroHoldTime {
        @DistributionLock(key = "k", holdLockTime = 0)
        public void work() {}
    }

    static class PrivateMethod {
        @DistributionLock(key = "k")
        private void work() {}

        public void call() {
            work();
        }
    }

    static class ChildOfPrivateMethod extends PrivateMethod {}

    static class FinalMethod {
        @DistributionLock(key = "k")
        public final void work() {}
    }

    static final class FinalClass {
        @DistributionLock(key = "k")
        public void work() {}
    }

    static class ParameterWithoutLock {
        public void work(@DistributionLockParam String orderCode) {}
    }

    static class CountingLazy {
        static int created;

        CountingLazy() {
            created++;
        }

        @DistributionLock(key = "")
        public void work() {}
    }

    static class Limits {
        @DistributionLock(key = "unset", tryLockTime = -1, holdLockTime = -1)
        public void unset() {}

        @DistributionLock(key = "once", tryLockTime = 0, holdLockTime = 100)
        public void once() {}

        @DistributionLock(key = "patient", tryLockTime = Long.MAX_VALUE)
        public void patient() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyConfiguration {
        @Bean
        @Lazy
        CountingLazy countingLazy() {
            return new CountingLazy();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrototypeConfiguration {
        @Bean
        @Scope("prototype")
        FinalMethod prototype() {
            return new FinalMethod();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RawMapper {
        @Bean
        @SuppressWarnings("rawtypes")
        LockFailureMapper untyped() {
            return failure -> "busy";
        }
    }

    /** Its type does not tell that its object is locked. */
    static class HiddenBean implements FactoryBean<Object> {

        @Override
        public Object getObject() {
            return new LockedByDefault();
        }

        @Override
        public Class<?> getObjectType() {
            return Object.class;
        }
    }

    static class LockedByDefault {
        @DistributionLock(key = "k")
        public void work() {}
    }

    static class ConditionOnNothing {
        @DistributionLock(key = "k", condition = "#nobody > 1")
        public void work(String code) {}
    }

    static class ConditionByNoProperty {
        @DistributionLock(key = "k", condition = "${nobody.knows}")
        public void work() {}
    }

    static class ManyMistakes {
        @DistributionLock(key = "")
        public void d() {}

        @DistributionLock(key = "")
        public void b(int count) {}

        @DistributionLock(key = "", tryLockTime = -2, holdLockTime = 0)
        public void a() {}

        @DistributionLock(key = "", delimiter = "")
        public void e() {}

        @DistributionLock(key = "")
        public void c() {}

        @DistributionLock(key = "")
        public void b() {}
    }

    static class UnknownVariable {
        @DistributionLock(key = "#{#nobody}")
        public void work() {}
    }

    static class Renamed {
        @DistributionLock(key = "order")
        public void work(@DistributionLockParam String code) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Renaming {
        @Bean
        LockKeyResolver lockKeyResolver(ConfigurableListableBeanFactory beans) {
            return LockKeyResolver.standard(beans).renaming(name -> "tenant:" + name);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ObjectMapperForAll {
        @Bean
        LockFailureMapper<Object> forAll() {
            return failure -> "busy";
        }
    }
}
