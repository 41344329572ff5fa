package io.distributionlock.autoconfigure;

import static io.distributionlock.testing.StartupFailures.analyze;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.leader.LeaderElection;
import io.distributionlock.testing.LockContextRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.SpringProperties;

/** An application that was processed ahead of time with other values. {@code ConsumerIT} starts a real one. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class AheadOfTimeCheckTest {

    private static final String PROBLEM =
            "processed ahead of time with other values of [distribution-lock.leader.elections]";

    @BeforeEach
    void pretend() {
        SpringProperties.setFlag(AotDetector.AOT_ENABLED);
    }

    @AfterEach
    void stopPretending() {
        SpringProperties.setProperty(AotDetector.AOT_ENABLED, null);
    }

    /** As if the election had not been there when the beans were made. */
    private static ApplicationContextRunner runner() {
        return LockContextRunner.plain()
                .withPropertyValues("distribution-lock.executor=local", "distribution-lock.leader.elections=outbox")
                .withBean(BeanFactoryPostProcessor.class, () -> beans -> {
                    for (String election : beans.getBeanNamesForType(LeaderElection.class, true, false)) {
                        ((BeanDefinitionRegistry) beans).removeBeanDefinition(election);
                    }
                });
    }

    @Test
    void theStartFails() {
        runner().run(context -> {
            assertThat(context).hasFailed();
            assertThat(analyze(context.getStartupFailure()).getDescription()).contains(PROBLEM);
            assertThat(analyze(context.getStartupFailure()).getAction()).contains("distribution-lock.validation=warn");
        });
    }

    @Test
    void asTheMessageAdvisesAWarningCanDo(CapturedOutput output) {
        runner().withPropertyValues("distribution-lock.validation=warn").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).containsOnlyOnce(PROBLEM);
        });
    }
}
