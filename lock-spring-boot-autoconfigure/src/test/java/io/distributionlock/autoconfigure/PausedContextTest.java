package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Since Spring 7, contexts of tests are paused while others are in use, and used again afterwards. */
@Tag("boot4")
class PausedContextTest {

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local"})
    void locksCanBeAcquiredAfterAPause(String executor) {
        try (RedisProcess redis = RedisProcess.start()) {
            LockContextRunner.redis(redis.port())
                    .withPropertyValues("distribution-lock.executor=" + executor)
                    .run(context -> {
                        LockTemplate locks = context.getBean(LockTemplate.class);
                        assertThat(locks.execute("name", () -> "before")).isEqualTo("before");
                        pauseAndRestart(context.getSourceApplicationContext());
                        assertThat(locks.execute("name", () -> "after")).isEqualTo("after");
                    });
        }
    }

    @Test
    void anExecutorIsNotPaused() {
        assertThat(new LockExecutorLifecycle().isPauseable()).isFalse();
    }

    /** Before Spring 7 nothing is paused. */
    private static void pauseAndRestart(ConfigurableApplicationContext context) {
        if (ClassUtils.hasMethod(ConfigurableApplicationContext.class, "pause")) {
            invoke(context, "pause");
            invoke(context, "restart");
        }
    }

    private static void invoke(ConfigurableApplicationContext context, String method) {
        ReflectionUtils.invokeMethod(ClassUtils.getMethod(ConfigurableApplicationContext.class, method), context);
    }
}
