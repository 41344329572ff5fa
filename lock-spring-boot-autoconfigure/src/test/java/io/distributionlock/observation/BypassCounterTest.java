package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators read of calls that ran without their lock. */
@Tag("boot4")
class BypassCounterTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void aMethodThatRunsWithoutItsLockIsCounted() {
        executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("Redis is away")));
        LockContextRunner.with(executor, Service.class)
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    assertThat(context.getBean(Service.class).update()).isEqualTo("updated");
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(10))
                            .untilAsserted(
                                    () -> assertThat(count(BypassCounter.NAME)).isEqualTo(1));
                });
    }

    @Test
    void withoutARegistryNothingIsCounted() {
        LockContextRunner.with(executor, Service.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(BypassCounter.class));
    }

    private double count(String counter) {
        return registry.get(counter).tag("method", "Service.update").counter().count();
    }

    public static class Service {

        @DistributionLock(key = "order", onBackendFailure = OnBackendFailure.PROCEED)
        public String update() {
            return "updated";
        }
    }
}
