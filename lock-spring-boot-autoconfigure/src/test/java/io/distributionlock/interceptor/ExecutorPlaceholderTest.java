package io.distributionlock.interceptor;

import static io.distributionlock.testing.StartupFailures.analyze;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The executor of an annotation may be a placeholder, as its other texts. */
@Tag("boot4")
class ExecutorPlaceholderTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... beans) {
        return LockContextRunner.with(executor, beans).withUserConfiguration(Reports.class);
    }

    @Test
    void itIsResolved() {
        runner(Service.class).withPropertyValues("report.locks=reports").run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Service.class).one();
            context.getBean(Service.class).several();
            context.getBean(Service.class).scheduled();
            context.getBean(Service.class).byDefault();
            assertThat(Reports.executor.names()).containsExactly("one", "a", "b", "scheduled");
            assertThat(executor.names()).containsExactly("default");
        });
    }

    @Test
    void withoutAValueTheStartFails() {
        runner(Service.class)
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("Service.one(): executor = \"${report.locks}\": Could not resolve"));
    }

    @Test
    void anUnknownOneIsNamedAsItIsWrittenAndResolved() {
        runner(Service.class)
                .withPropertyValues("report.locks=nobody")
                .run(context -> assertThat(analyze(context.getStartupFailure()).getDescription())
                        .contains("executor = \"${report.locks}\" (nobody), but there is no such executor"));
    }

    static class Service {

        @DistributionLock(key = "one", executor = "${report.locks}")
        public void one() {}

        @DistributionLock(key = "a", executor = "${report.locks}")
        @DistributionLock(key = "b", executor = "reports")
        public void several() {}

        @ScheduledLock(name = "scheduled", executor = "${report.locks}")
        public void scheduled() {}

        @RefuseRepeats(key = "default", within = "1s", executor = "${other.locks:}")
        public void byDefault() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Reports {

        static ScriptedLockExecutor executor;

        @Bean(defaultCandidate = false)
        LockTemplate reports() {
            executor = new ScriptedLockExecutor();
            return LockTemplate.builder(executor).build();
        }

        @Bean
        LockTemplate standard(ScriptedLockExecutor standard) {
            return LockTemplate.builder(standard).build();
        }
    }
}
