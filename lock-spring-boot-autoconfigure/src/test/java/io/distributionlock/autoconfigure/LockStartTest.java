package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What a start creates and checks: all of it as soon as an application locks anything, and nothing before. */
@Tag("boot4")
class LockStartTest {

    /** Nothing is connected to. */
    private final ApplicationContextRunner application = LockContextRunner.redis(1);

    private final ApplicationContextRunner withTwoRedis = application
            .withBean("one", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1))
            .withBean("two", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 2));

    private static List<Class<?>> created(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        ConfigurableApplicationContext started = context.getSourceApplicationContext();
        return Stream.<Class<?>>of(RedisLockExecutor.class, LockTemplate.class)
                .filter(type -> Stream.of(context.getBeanNamesForType(type))
                        .anyMatch(started.getBeanFactory()::containsSingleton))
                .toList();
    }

    @Test
    void whenNothingIsLockedThenNothingIsCreated() {
        application.run(context -> assertThat(created(context)).isEmpty());
    }

    @Test
    void whenATemplateIsOnlyProvidedThenItIsCreatedWhenItIsAskedFor() {
        application.withBean(Provided.class).run(context -> {
            assertThat(created(context)).isEmpty();
            assertThat(context.getBean(Provided.class).templates().getObject()).isNotNull();
            assertThat(created(context)).hasSize(2);
        });
    }

    @Test
    void whenATemplateIsInjectedThenItIsCreated() {
        application
                .withBean(Injected.class)
                .run(context -> assertThat(created(context)).hasSize(2));
    }

    @Test
    void whenAMethodIsLockedThenEverythingIsCreated() {
        application
                .withBean(Locked.class)
                .run(context -> assertThat(created(context)).hasSize(2));
    }

    @Test
    void whenTheLockedBeanIsLazyThenEverythingIsCreatedNevertheless() {
        application
                .withBean(Locked.class, Locked::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(created(context)).hasSize(2);
                    assertThat(context.getSourceApplicationContext()
                                    .getBeanFactory()
                                    .containsSingleton(context.getBeanNamesForType(Locked.class)[0]))
                            .isFalse();
                });
    }

    @Test
    void whenAPropertyIsOutOfRangeThenTheStartFailsEvenIfNothingIsLocked() {
        application
                .withPropertyValues("distribution-lock.defaults.lease-time=0s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("distribution-lock.defaults.lease-time is 0ms"));
    }

    @Test
    void whenNothingIsLockedThenAnAmbiguousRedisIsNoReasonNotToStart() {
        withTwoRedis.run(context -> assertThat(created(context)).isEmpty());
    }

    @Test
    void whenAPartOfALockHasNoLockThenTheStartFails() {
        application
                .withBean(Misused.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("Misused.update"));
    }

    @Test
    void theDeclarationsOfAChildAreCheckedToo() {
        application.run(parent -> application
                .withParent(parent)
                .withBean(Misused.class)
                .run(child -> assertThat(child).hasFailed()));
    }

    record Provided(ObjectProvider<LockTemplate> templates) {}

    record Injected(LockTemplate template) {}

    static class Locked {

        @DistributionLock(key = "locked")
        public void update() {}
    }

    static class Misused {

        public void update(@DistributionLockParam String code) {}
    }
}
