package io.distributionlock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockLostException;
import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.LockIntegrationAutoConfiguration;
import io.distributionlock.testing.LockContextRunner;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** What Spring Integration's interfaces require in addition, on each of its lines. */
@Tag("boot4")
@SuppressWarnings({"rawtypes", "LockNotBeforeTry"})
class LockRegistryInterfacesTest {

    private static final String SINCE_7 = "org.springframework.integration.support.locks.DistributedLock";

    private final ApplicationContextRunner application =
            LockContextRunner.local().withConfiguration(AutoConfigurations.of(LockIntegrationAutoConfiguration.class));

    private interface Body {
        void run(DistributionLockRegistry registry, LockTemplate locks) throws Throwable;
    }

    private void with(Body body) {
        application.run(context -> {
            try {
                body.run(context.getBean(DistributionLockRegistry.class), context.getBean(LockTemplate.class));
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void theRegistryIsFoundByEachInterface() {
        application.run(context -> {
            assertThat(context).hasSingleBean(LockRegistry.class);
            assertThat(context).hasSingleBean(RenewableLockRegistry.class);
            assertThat(context).hasSingleBean(ExpirableLockRegistry.class);
        });
    }

    @Test
    void oneKeyIsOneObjectForAsLongAsAnybodyHasIt() {
        with((registry, locks) -> {
            Lock lock = registry.obtain("a");
            for (int i = 0; i < 3; i++) {
                System.gc();
                assertThat(registry.obtain(new String("a")))
                        .isSameAs(lock)
                        .isEqualTo(lock)
                        .hasSameHashCodeAs(lock);
            }
            assertThat(registry.obtain("b")).isNotEqualTo(lock);
            assertThat(lock.toString()).contains("a");
            registry.expireUnusedOlderThan(0);
            assertThat(registry.obtain("a")).isSameAs(lock);
        });
    }

    @Test
    void aLockIsRenewedByWhoHoldsIt() {
        with((registry, locks) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> registry.renewLock("a"))
                    .withMessageContaining("'a'");
            DistributedLock lock = registry.obtain("a");
            lock.lock(Duration.ofSeconds(20));
            registry.renewLock("a");
            renew(registry, "a", Duration.ofMinutes(5));
            Thread other =
                    new Thread(() -> assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("a")));
            other.start();
            other.join(60_000);
            assertThat(lock.confirm()).isTrue();
            locks.forceRelease("a").join();
            Awaitility.await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
            assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("a"));
            assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
        });
    }

    /** By the interface where it has the method. */
    private static void renew(DistributionLockRegistry registry, Object key, Duration ttl) throws Throwable {
        Method declared =
                ReflectionUtils.findMethod(RenewableLockRegistry.class, "renewLock", Object.class, Duration.class);
        assertThat(declared != null).isEqualTo(isSince7());
        if (declared == null) {
            registry.renewLock(key, ttl);
        } else {
            call(declared, registry, key, ttl);
        }
    }

    private static boolean isSince7() {
        return ClassUtils.isPresent(SINCE_7, LockRegistryInterfacesTest.class.getClassLoader());
    }

    private static Object call(Method method, Object target, Object... arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void aTimeToLiveIsATimeToHoldThatIsNotRenewed() {
        with((registry, locks) -> {
            DistributedLock lock = registry.obtain("a");
            Class<?> type = isSince7() ? ClassUtils.forName(SINCE_7, null) : DistributedLock.class;
            assertThat(lock).isInstanceOf(type);
            Method lockFor = type.getMethod("lock", Duration.class);
            Method tryLockFor = type.getMethod("tryLock", Duration.class, Duration.class);
            call(lockFor, lock, Duration.ofMinutes(1));
            assertThat(call(tryLockFor, lock, Duration.ZERO, Duration.ofMinutes(1)))
                    .isEqualTo(true);
            assertThat(lock.holdCount()).isEqualTo(2);
            lock.unlock();
            lock.unlock();
            assertThat(lock.isLocked()).isFalse();
            call(lockFor, lock, Duration.ofMillis(200));
            Awaitility.await().pollInSameThread().until(() -> !lock.isLocked());
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> call(lockFor, lock, Duration.ofMinutes(1)));
            assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        });
    }
}
