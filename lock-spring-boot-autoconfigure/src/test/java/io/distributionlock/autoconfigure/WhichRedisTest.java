package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Which Redis keeps the locks of an application that has several. Nothing is connected to. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class WhichRedisTest {

    private static final String PROPERTY = "distribution-lock.redis.connection-factory";

    private final ApplicationContextRunner application = LockContextRunner.redis(1)
            .withBean(Locked.class)
            .withPropertyValues("spring.data.redis.password=topsecret", "distribution-lock.shutdown.timeout=0s");

    static class Locked {

        @DistributionLock(key = "locked")
        public void run() {}
    }

    private static LettuceConnectionFactory to(int port, int database) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration("127.0.0.1", port);
        server.setDatabase(database);
        server.setPassword(RedisPassword.of("topsecret"));
        return new LettuceConnectionFactory(server);
    }

    private static ApplicationContextRunner with(
            ApplicationContextRunner runner, String name, int port, boolean primary) {
        return runner.withInitializer(context -> {
            RootBeanDefinition definition =
                    new RootBeanDefinition(LettuceConnectionFactory.class, () -> to(port, port));
            definition.setPrimary(primary);
            ((BeanDefinitionRegistry) context.getBeanFactory()).registerBeanDefinition(name, definition);
        });
    }

    private static int portOf(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        return ((LettuceConnectionFactory)
                        context.getBean(RedisLockExecutor.class).template().getRequiredConnectionFactory())
                .getPort();
    }

    private static Condition<Throwable> saying(String... texts) {
        return new Condition<>(
                failure -> {
                    Throwable cause = failure;
                    while (cause != null && !(cause instanceof BackendProblemException)) {
                        cause = cause.getCause();
                    }
                    return cause != null && java.util.Arrays.stream(texts).allMatch(cause.getMessage()::contains);
                },
                "a BackendProblemException that says %s",
                String.join(", ", texts));
    }

    @Test
    void theStartLogsServerDatabaseAndPrefixButNoPassword(CapturedOutput output) {
        application
                .withPropertyValues("spring.data.redis.database=3", "distribution-lock.redis.key-prefix=shop")
                .run(context -> {
                    assertThat(portOf(context)).isEqualTo(1);
                    assertThat(output)
                            .containsOnlyOnce(
                                    "Locks are kept in Redis at 127.0.0.1:1, database 3, under keys that start"
                                            + " with 'shop:'")
                            .doesNotContain("topsecret");
                });
    }

    @Test
    void aStringRedisTemplateOnASecondFactoryDoesNotDrawTheLocksAway() {
        with(with(application, "first", 2, true), "second", 3, false)
                .withBean(StringRedisTemplate.class, () -> new StringRedisTemplate(to(3, 0)))
                .run(context -> assertThat(portOf(context)).isEqualTo(2));
    }

    @Test
    void twoStringRedisTemplatesAreNoReasonNotToStart() {
        application
                .withBean("one", StringRedisTemplate.class, () -> new StringRedisTemplate(to(3, 0)))
                .withBean("two", StringRedisTemplate.class, () -> new StringRedisTemplate(to(4, 0)))
                .run(context -> assertThat(portOf(context)).isEqualTo(1));
    }

    @Test
    void severalFactoriesOfWhichNoneIsPrimaryStopTheStartAndAreNamed() {
        with(with(application, "first", 2, false), "second", 3, false)
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(
                                PROPERTY,
                                "@Primary",
                                "'first' (127.0.0.1:2, database 2)",
                                "'second' (127.0.0.1:3, database 3)")));
    }

    @Test
    void thePropertySaysWhichAlsoBesideAPrimaryOne() {
        with(with(application, "first", 2, true), "second", 3, false)
                .withPropertyValues(PROPERTY + "=second")
                .run(context -> assertThat(portOf(context)).isEqualTo(3));
    }

    @Test
    void aNameThatNoBeanHasStopsTheStartAndTheCandidatesAreNamed() {
        with(application, "first", 2, false)
                .withPropertyValues(PROPERTY + "=frist")
                .run(context -> assertThat(context)
                        .getFailure()
                        .has(saying(
                                PROPERTY + " is 'frist'",
                                "No bean named 'frist'",
                                "'first' (127.0.0.1:2, database 2)")));
    }

    @Test
    void aBeanOfAnotherTypeStopsTheStart() {
        with(application, "first", 2, false)
                .withBean("clock", String.class, () -> "noon")
                .withPropertyValues(PROPERTY + "=clock")
                .run(context -> assertThat(context).getFailure().has(saying("java.lang.String", "'first'")));
    }
}
