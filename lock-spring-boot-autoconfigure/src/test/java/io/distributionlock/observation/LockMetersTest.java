package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The meters that operators read. */
@Tag("boot4")
class LockMetersTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void aLostLeaseIsCountedByMethod() {
        LockContextRunner.with(executor, Service.class)
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    context.publishEvent(
                            new LockLostEvent("order:4711", Service.class.getMethod("update"), LossReason.GONE));
                    assertThat(count(LockMeters.LOST)).isEqualTo(1);
                });
    }

    @Test
    void aLeaseThatIsLostInAMethodIsCounted() {
        LockContextRunner.with(executor, Service.class)
                .withBean(MeterRegistry.class, () -> registry)
                .run(context -> {
                    executor.occupy("other");
                    context.getBean(Service.class)
                            .losing(() -> executor.leases().get(1).lose());
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(10))
                            .untilAsserted(() -> assertThat(registry.get(LockMeters.LOST)
                                            .tag("method", "Service.losing")
                                            .counter()
                                            .count())
                                    .isEqualTo(1));
                });
    }

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
                                    () -> assertThat(count(LockMeters.BYPASSED)).isEqualTo(1));
                });
    }

    @Test
    void withoutARegistryNothingIsCounted() {
        LockContextRunner.with(executor, Service.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LockMeters.class));
    }

    private double count(String counter) {
        return registry.get(counter).tag("method", "Service.update").counter().count();
    }

    public static class Service {

        @DistributionLock(key = "losing")
        public void losing(Runnable loss) {
            loss.run();
        }

        @DistributionLock(key = "order", onBackendFailure = OnBackendFailure.PROCEED)
        public String update() {
            return "updated";
        }
    }
}
