package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.hold.LockScope;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which beans give way to those of an application. */
@Tag("boot4")
class LockBeansTest {

    @Test
    void theScopeOfTheApplicationSeesLockedCalls() {
        LockContextRunner.with(new ScriptedLockExecutor(), OwnScope.class).run(context -> {
            context.getBean(Locked.class).run();
            context.getBean(LockTemplate.class).execute("by hand", () -> "done");
            RecordingScope scope = (RecordingScope) context.getBean(LockScope.class);
            assertThat(scope.asked).hasSize(2);
        });
    }

    @Test
    void theScopeOfAParentSeesLockedCallsOfAChild() {
        LockContextRunner.with(new ScriptedLockExecutor(), OwnScope.class)
                .run(parent -> LockContextRunner.with(new ScriptedLockExecutor(), Locked.class)
                        .withParent(parent)
                        .run(child -> {
                            child.getBean(Locked.class).run();
                            RecordingScope scope = (RecordingScope) parent.getBean(LockScope.class);
                            assertThat(scope.asked).hasSize(1);
                        }));
    }

    @Test
    void anExecutorOfTheApplicationReplacesTheOneInRedis() {
        LockContextRunner.redis(1)
                .withBean(ScriptedLockExecutor.class, ScriptedLockExecutor::new)
                .run(context ->
                        assertThat(context).hasSingleBean(LockExecutor.class).doesNotHaveBean(RedisLockExecutor.class));
    }

    @Test
    void aTemplateOfTheApplicationReplacesTheStandardOne() {
        LockContextRunner.redis(1).withUserConfiguration(OwnTemplate.class).run(context -> {
            assertThat(context).hasSingleBean(LockTemplate.class);
            assertThat(context.getBean(LockTemplate.class)).isSameAs(context.getBean("own"));
        });
    }

    @Test
    void aTemplateThatIsInjectedOnlyByItsNameReplacesNothing() {
        LockContextRunner.redis(1)
                .withUserConfiguration(TemplateByName.class)
                .run(context -> assertThat(context.getBean(Injected.class).locks)
                        .isSameAs(context.getBean("distributionLockTemplate"))
                        .isNotSameAs(context.getBean("own")));
    }

    @Test
    void withoutRedisThereIsNothingToLockWith() {
        LockContextRunner.plain().run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(LockExecutor.class);
            assertThat(context.getBeanProvider(LockTemplate.class).getIfAvailable())
                    .isNull();
            assertThatThrownBy(() -> context.getBean(LockTemplate.class))
                    .isInstanceOf(NoSuchBeanDefinitionException.class);
        });
    }

    static class Locked {

        @DistributionLock(key = "locked")
        public void run() {}
    }

    static final class RecordingScope implements LockScope {

        private final List<Work> asked = new ArrayList<>();

        @Override
        public EnclosingTransaction enclosingTransaction(Work work) {
            asked.add(work);
            return null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScope {

        @Bean
        LockScope scope() {
            return new RecordingScope();
        }

        @Bean
        Locked locked() {
            return new Locked();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        @Bean
        LockTemplate own(LockExecutor executor) {
            return LockTemplate.builder(executor)
                    .defaults(LockDefaults.STANDARD)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateByName {

        @Bean(defaultCandidate = false)
        LockTemplate own(LockExecutor executor) {
            return LockTemplate.builder(executor).build();
        }

        @Bean
        Injected injected() {
            return new Injected();
        }
    }

    static final class Injected {

        @Autowired
        private LockTemplate locks;
    }
}
