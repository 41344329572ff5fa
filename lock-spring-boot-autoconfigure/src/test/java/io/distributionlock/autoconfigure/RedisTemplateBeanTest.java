package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.MovedClasses;
import java.util.Arrays;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Which {@code StringRedisTemplate} of the application its locks use. Nothing is connected to. */
@Tag("boot4")
class RedisTemplateBeanTest {

    private static final String TEMPLATE = "distribution-lock.redis.template";
    private static final String FACTORY = "distribution-lock.redis.connection-factory";

    private static final String[] UNREACHABLE = {"distribution-lock.shutdown.timeout=0s"};

    private final ApplicationContextRunner application =
            LockContextRunner.redis(1).withBean(Locked.class).withPropertyValues(UNREACHABLE);

    static class Locked {

        @DistributionLock(key = "locked")
        public void run() {}
    }

    private static LettuceConnectionFactory to(int port) {
        return new LettuceConnectionFactory("127.0.0.1", port);
    }

    private static StringRedisTemplate ofLocks(ApplicationContext context) {
        return context.getBean(RedisLockExecutor.class).template();
    }

    private static void assertUsesBean(AssertableApplicationContext context, String name) {
        assertThat(context).hasNotFailed();
        assertThat(ofLocks(context)).isSameAs(context.getBean(name));
    }

    private static void assertUsesOneOfItsOwn(AssertableApplicationContext context, String connectionFactory) {
        assertThat(context).hasNotFailed();
        assertThat(context.getBeansOfType(StringRedisTemplate.class)).doesNotContainValue(ofLocks(context));
        assertThat(ofLocks(context).getConnectionFactory()).isSameAs(context.getBean(connectionFactory));
    }

    private static Condition<Throwable> saying(String... texts) {
        return new Condition<>(
                failure -> {
                    Throwable cause = failure;
                    while (cause.getCause() != null && !(cause instanceof BackendProblemException)) {
                        cause = cause.getCause();
                    }
                    String message = String.valueOf(cause.getMessage());
                    return Arrays.stream(texts).allMatch(message::contains)
                            && MessageRules.faults(message).isEmpty();
                },
                "an explanation that says %s",
                String.join(", ", texts));
    }

    // ------------------------------------------------------------------ one connection factory

    @Test
    void theOneOfSpringBoot() {
        application.run(context -> assertUsesBean(context, "stringRedisTemplate"));
    }

    @Test
    void theOneOfAReactiveApplication() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, MovedClasses.redisAutoConfiguration()))
                .withConfiguration(AutoConfigurations.of(LockContextRunner.autoConfigurations()))
                .withBean(Locked.class)
                .withPropertyValues(UNREACHABLE)
                .withPropertyValues("spring.data.redis.port=1")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(ofLocks(context)).isSameAs(context.getBean("stringRedisTemplate"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        static class Traced extends StringRedisTemplate {

            Traced(RedisConnectionFactory factory) {
                super(factory);
            }
        }

        @Bean
        Traced traced(RedisConnectionFactory factory) {
            return new Traced(factory);
        }
    }

    @Test
    void theOneThatTheApplicationDefinesInsteadAlsoASubclass() {
        application.withUserConfiguration(OwnTemplate.class).run(context -> assertUsesBean(context, "traced"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoTemplates {

        @Bean
        StringRedisTemplate one(RedisConnectionFactory factory) {
            return new StringRedisTemplate(factory);
        }

        @Bean
        StringRedisTemplate other(RedisConnectionFactory factory) {
            return new StringRedisTemplate(factory);
        }
    }

    @Test
    void ofSeveralNoneUnlessThePropertyNamesIt() {
        ApplicationContextRunner both = application.withUserConfiguration(TwoTemplates.class);
        both.run(context -> assertUsesOneOfItsOwn(context, "redisConnectionFactory"));
        both.withPropertyValues(TEMPLATE + "=other").run(context -> assertUsesBean(context, "other"));
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryTemplate extends TwoTemplates {

        @Bean
        @Primary
        StringRedisTemplate main(RedisConnectionFactory factory) {
            return new StringRedisTemplate(factory);
        }
    }

    @Test
    void ofSeveralThePrimaryOne() {
        application.withUserConfiguration(PrimaryTemplate.class).run(context -> assertUsesBean(context, "main"));
    }

    /** A test of the application that needs no Redis must not lose its locks' executor. */
    @Test
    void aMockIsNotUsed() {
        application
                .withBean("mock", StringRedisTemplate.class, () -> mock(StringRedisTemplate.class))
                .run(context -> assertUsesOneOfItsOwn(context, "redisConnectionFactory"));
    }

    @Configuration(proxyBeanMethods = false)
    static class OnlyObjects {

        @Bean
        RedisTemplate<Object, Object> objects(RedisConnectionFactory redis) {
            RedisTemplate<Object, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(redis);
            return template;
        }
    }

    @Test
    void anApplicationWithoutSpringBootsTemplatesHasOneForItsLocks() {
        LockContextRunner.plain()
                .withBean(Locked.class)
                .withPropertyValues(UNREACHABLE)
                .withBean("redis", LettuceConnectionFactory.class, () -> to(2))
                .withUserConfiguration(OnlyObjects.class)
                .run(context -> assertUsesOneOfItsOwn(context, "redis"));
    }

    @Test
    void aTemplateSufficesWhereNoConnectionFactoryIsABean() {
        LettuceConnectionFactory hidden = to(2);
        LockContextRunner.plain()
                .withBean(Locked.class)
                .withPropertyValues(UNREACHABLE)
                .withBean("only", StringRedisTemplate.class, () -> new StringRedisTemplate(hidden))
                .run(context -> assertUsesBean(context, "only"));
    }

    @Test
    void thoseOfAParentContextCount() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()))
                .withPropertyValues("spring.data.redis.port=1")
                .run(parent -> LockContextRunner.plain()
                        .withBean(Locked.class)
                        .withPropertyValues(UNREACHABLE)
                        .withParent(parent)
                        .run(context -> assertUsesBean(context, "stringRedisTemplate")));
    }

    // ------------------------------------------------------------------ several connection factories

    @Configuration(proxyBeanMethods = false)
    static class TwoServers {

        @Bean
        LettuceConnectionFactory first() {
            return to(2);
        }

        @Bean
        LettuceConnectionFactory second() {
            return to(3);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoServersWithTemplates extends TwoServers {

        @Bean
        StringRedisTemplate toFirst(@Qualifier("first") RedisConnectionFactory first) {
            return new StringRedisTemplate(first);
        }

        @Bean
        StringRedisTemplate toSecond(@Qualifier("second") RedisConnectionFactory second) {
            return new StringRedisTemplate(second);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneTemplateForTwoServers extends TwoServers {

        @Bean
        StringRedisTemplate toSecond(@Qualifier("second") RedisConnectionFactory second) {
            return new StringRedisTemplate(second);
        }

        @Bean
        RedisTemplate<Object, Object> objects(@Qualifier("second") RedisConnectionFactory second) {
            RedisTemplate<Object, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(second);
            return template;
        }
    }

    @Test
    void whenNoFactoryIsPrimaryThenTheOnlyTemplateSaysWhichRedis() {
        application
                .withUserConfiguration(OneTemplateForTwoServers.class)
                .run(context -> assertUsesBean(context, "toSecond"));
    }

    /** Or a template that is added for something else would move the locks to another server. */
    @Test
    void thePrimaryFactoryDecidesAlsoBesideATemplateOverAnother() {
        application
                .withUserConfiguration(OneTemplateForTwoServers.class)
                .withBean("main", LettuceConnectionFactory.class, () -> to(4), main -> main.setPrimary(true))
                .run(context -> assertUsesOneOfItsOwn(context, "main"));
    }

    @Test
    void theFactoryThatThePropertyNamesBringsItsTemplate() {
        ApplicationContextRunner both = application.withUserConfiguration(TwoServersWithTemplates.class);
        both.withPropertyValues(FACTORY + "=second").run(context -> assertUsesBean(context, "toSecond"));
        application
                .withUserConfiguration(OneTemplateForTwoServers.class)
                .withPropertyValues(FACTORY + "=first")
                .run(context -> assertUsesOneOfItsOwn(context, "first"));
    }

    @Test
    void theTemplateThatThePropertyNames() {
        application
                .withUserConfiguration(OneTemplateForTwoServers.class)
                .withBean("main", LettuceConnectionFactory.class, () -> to(4), main -> main.setPrimary(true))
                .withPropertyValues(TEMPLATE + "=toSecond")
                .run(context -> assertUsesBean(context, "toSecond"));
    }

    @Test
    void whenNothingDecidesThenTheStartFailsAndNamesBothProperties() {
        application
                .withUserConfiguration(TwoServersWithTemplates.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(
                                TEMPLATE,
                                FACTORY,
                                "'first' (127.0.0.1:2, database 0)",
                                "'second' (127.0.0.1:3, database 0)",
                                "'toFirst' (127.0.0.1:2, database 0)",
                                "'toSecond' (127.0.0.1:3, database 0)")));
    }

    // ------------------------------------------------------------------ names that are wrong

    @Test
    void aNameThatNoBeanHasStopsTheStart() {
        application
                .withPropertyValues(TEMPLATE + "=stringTemplate")
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(
                                TEMPLATE + " is 'stringTemplate'",
                                "No bean named 'stringTemplate'",
                                "'stringRedisTemplate' (127.0.0.1:1, database 0)")));
    }

    @Test
    void aTemplateOfAnotherTypeStopsTheStart() {
        application
                .withPropertyValues(TEMPLATE + "=redisTemplate")
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(TEMPLATE + " is 'redisTemplate'", "StringRedisTemplate", "'stringRedisTemplate'")));
    }

    @Test
    void bothPropertiesTogetherStopTheStart() {
        application
                .withPropertyValues(TEMPLATE + "=stringRedisTemplate", FACTORY + "=redisConnectionFactory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(TEMPLATE + " is 'stringRedisTemplate'", FACTORY, "Remove one")));
    }
}
