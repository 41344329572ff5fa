package io.distributionlock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.autoconfigure.LockIntegrationAutoConfiguration;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

/** Code that is written against Spring Integration's registry locks with this library. */
@Tag("boot4")
@SuppressWarnings({"rawtypes", "unchecked"})
class LockIntegrationTest {

    private final ApplicationContextRunner application = LockContextRunner.local()
            .withConfiguration(AutoConfigurations.of(LockIntegrationAutoConfiguration.class))
            .withBean(OrderService.class);

    @Test
    void whenSpringIntegrationIsThereThenItsRegistryIsToo() {
        application.run(context -> {
            LockRegistry registry = context.getBean(LockRegistry.class);
            Lock lock = registry.obtain("updateOrderStatus:A1001");
            assertThat(lock.tryLock(5, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<String> elsewhere = CompletableFuture.supplyAsync(
                    () -> context.getBean(OrderService.class).update("A1001"));
            assertThatThrownBy(elsewhere::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseExactlyInstanceOf(LockNotAcquiredException.class);
            lock.unlock();
            assertThat(context.getBean(OrderService.class).update("A1001")).isEqualTo("updated A1001");
        });
    }

    @Test
    void whenWorkIsHandedToTheRegistryThenItRunsUnderTheLock() {
        application.run(context -> {
            DistributionLockRegistry registry = context.getBean(DistributionLockRegistry.class);
            DistributedLock lock = registry.obtain(1001);
            registry.executeLocked(
                    1001, () -> assertThat(lock.isHeldByCurrentThread()).isTrue());
            registry.executeLocked(
                    "1001",
                    Duration.ofSeconds(5),
                    () -> assertThat(lock.isHeldByCurrentThread()).isTrue());
            assertThat(lock.isLocked()).isFalse();
        });
    }

    @Test
    void oneOfTwoNodesIsTheLeaderAndTheOtherFollows() {
        application.run(context -> {
            LockRegistry registry = context.getBean(LockRegistry.class);
            LockRegistryLeaderInitiator first = node(registry, "first");
            LockRegistryLeaderInitiator second = node(registry, "second");
            try {
                first.start();
                Awaitility.await().until(() -> first.getContext().isLeader());
                second.start();
                first.stop();
                Awaitility.await().until(() -> second.getContext().isLeader());
                assertThat(first.getContext().isLeader()).isFalse();
            } finally {
                first.stop();
                second.stop();
            }
        });
    }

    private static LockRegistryLeaderInitiator node(LockRegistry registry, String id) {
        Candidate candidate = new DefaultCandidate(id, "leader");
        LockRegistryLeaderInitiator node = new LockRegistryLeaderInitiator(registry, candidate);
        node.setHeartBeatMillis(50);
        node.setBusyWaitMillis(20);
        return node;
    }

    @Test
    void aKeyThatIsNoNameIsRefused() {
        application.run(context -> {
            DistributionLockRegistry registry = context.getBean(DistributionLockRegistry.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> registry.obtain(new Object()))
                    .withMessageContaining("Use a text");
            assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(null));
            assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(" "));
        });
    }

    @Test
    void whenTheApplicationHasARegistryThenThatStays() {
        application
                .withBean(DefaultLockRegistry.class)
                .run(context ->
                        assertThat(context).hasSingleBean(LockRegistry.class).hasSingleBean(DefaultLockRegistry.class));
    }

    @Test
    void whenSpringIntegrationIsMissingThenNothingIsRegistered() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.integration"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("distributionLockRegistry"));
    }

    public static class OrderService {
        @DistributionLock(key = "updateOrderStatus", tryLockTime = 0)
        public String update(@DistributionLockParam String orderCode) {
            return "updated " + orderCode;
        }
    }
}
