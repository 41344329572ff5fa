package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.local.UnguardedLockExecutor;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.observation.BypassCounter;
import io.distributionlock.observation.LockObservations;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport.ConditionAndOutcome;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What the properties and beans of an application make of the configuration, and what the condition report says of it. */
@Tag("boot4")
class ConfigurationTest {

    private final ApplicationContextRunner redis = LockContextRunner.redis(1);

    private static String outcome(AssertableApplicationContext context, String configuration) {
        return ConditionEvaluationReport.get(
                        context.getSourceApplicationContext().getBeanFactory())
                .getConditionAndOutcomesBySource()
                .entrySet()
                .stream()
                .filter(entry -> entry.getKey().contains(configuration))
                .flatMap(entry -> entry.getValue().stream())
                .map(ConditionAndOutcome::getOutcome)
                .map(outcome -> outcome.isMatch() + ": " + outcome.getMessage() + "\n")
                .reduce("", String::concat);
    }

    @Test
    void theReportSaysWhichExecutorThereIsAndWhy() {
        redis.run(context -> {
            assertThat(outcome(context, "LockExecutorConfigurations$Redis"))
                    .contains("true: @ConditionalOnProperty (distribution-lock.executor=redis) matched")
                    .contains("found bean 'redisConnectionFactory'");
            assertThat(outcome(context, "LockExecutorConfigurations$Local"))
                    .contains("false: @ConditionalOnProperty (distribution-lock.executor=local)");
            assertThat(outcome(context, "#distributionLockTemplate")).contains("found bean 'distributionLockExecutor'");
        });
        LockContextRunner.plain()
                .run(context -> assertThat(outcome(context, "LockExecutorConfigurations$Redis"))
                        .contains("did not find any beans of type " + RedisConnectionFactory.class.getName()));
        redis.withUserConfiguration(OwnExecutor.class)
                .run(context -> assertThat(outcome(context, "LockExecutorConfigurations$Redis"))
                        .contains("found beans of type '" + LockExecutor.class.getName() + "' own"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0", "FALSE"})
    void theKillSwitchIsReadAsSpringBootReadsIt(String off) {
        redis.withPropertyValues("distribution-lock.enabled=" + off).run(context -> {
            assertThat(context).hasSingleBean(LockExecutor.class).hasSingleBean(UnguardedLockExecutor.class);
            assertThat(context.getBean(LockTemplate.class).executor().backend())
                    .isSameAs(context.getBean(LockExecutor.class).backend());
        });
        redis.withPropertyValues("distribution-lock.enabled=" + off)
                .withUserConfiguration(OwnExecutor.class)
                .run(context -> assertThat(context.getBean(LockTemplate.class).kinds())
                        .isEqualTo(new UnguardedLockExecutor().kinds()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void soAreTheOtherSwitches(String off) {
        redis.withPropertyValues("distribution-lock.events.enabled=" + off)
                .run(context -> assertThat(context).doesNotHaveBean(LockObserver.class));
        redis.withPropertyValues("distribution-lock.redis.check-on-start=" + off)
                .run(context -> assertThat(context).doesNotHaveBean(LockStartCheck.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "yes", "1"})
    void andSwitchedOn(String on) {
        redis.withPropertyValues("distribution-lock.events.enabled=" + on)
                .run(context -> assertThat(context).hasSingleBean(LockObserver.class));
        redis.withPropertyValues("distribution-lock.redis.check-on-start=" + on)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void metersAndObservationsCreateNoExecutor() {
        redis.withBean("one", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1))
                .withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 2))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(BypassCounter.class)
                        .hasSingleBean(LockObservations.class));
    }

    @Test
    void twoTemplatesOfWhichNoneIsPrimaryFailTheStartOfLockedMethods() {
        redis.withUserConfiguration(TwoTemplates.class)
                .withBean(Locked.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("several LockTemplates: one, two")
                        .hasMessageContaining("@Primary"));
        redis.withUserConfiguration(TwoTemplates.class)
                .run(context -> assertThat(context).hasNotFailed());
        redis.withUserConfiguration(TwoTemplates.class, PrimaryTemplate.class)
                .withBean(Locked.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aTemplateOfTheApplicationCanBeConfiguredLikeTheOwn() {
        LockContextRunner.local(Configured.class)
                .withPropertyValues("distribution-lock.enabled=off")
                .run(context -> assertThat(context.getBean(LockTemplate.class).kinds())
                        .isEqualTo(new UnguardedLockExecutor().kinds()));
    }

    @Test
    void whatAParentHasIsNotMadeAgain() {
        ApplicationContextRunner local =
                LockContextRunner.local().withPropertyValues("distribution-lock.events.enabled=on");
        local.run(parent -> local.withParent(parent).run(child -> {
            assertThat(child.getBean(LocalLockExecutor.class)).isSameAs(parent.getBean(LocalLockExecutor.class));
            assertThat(child.getBean(LockTemplate.class)).isSameAs(parent.getBean(LockTemplate.class));
            assertThat(child.getBean(LockTemplateConfigurer.class))
                    .isSameAs(parent.getBean(LockTemplateConfigurer.class));
            assertThat(child.getBean(LockObserver.class)).isSameAs(parent.getBean(LockObserver.class));
        }));
        LockContextRunner.plain()
                .withUserConfiguration(OwnExecutor.class)
                .run(parent -> redis.withParent(parent)
                        .run(child -> assertThat(child.getBeanNamesForType(RedisLockExecutor.class))
                                .isEmpty()));
    }

    static class Locked {

        @DistributionLock(key = "locked")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnExecutor {

        @Bean
        ScriptedLockExecutor own() {
            return new ScriptedLockExecutor();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTemplates {

        @Bean
        LockTemplate one(LockExecutor executor) {
            return LockTemplate.builder(executor).build();
        }

        @Bean
        LockTemplate two(LockExecutor executor) {
            return LockTemplate.builder(executor).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryTemplate {

        @Bean
        @Primary
        LockTemplate three(LockExecutor executor) {
            return LockTemplate.builder(executor).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Configured {

        @Bean
        LockTemplate own(LockExecutor executor, LockTemplateConfigurer configurer) {
            return configurer.configure(LockTemplate.builder(executor)).build();
        }
    }
}
