package io.distributionlock.testing;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with this library. A test adds the beans and properties that it is about. */
public final class LockContextRunner {

    private LockContextRunner() {}

    /** An application that chooses its executor by its properties. */
    public static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, DistributionLockAutoConfiguration.class));
    }

    /** An application whose executor is this one. */
    public static ApplicationContextRunner with(ScriptedLockExecutor executor, Class<?>... configurations) {
        return plain().withBean(ScriptedLockExecutor.class, () -> executor).withUserConfiguration(configurations);
    }

    /** An application with the real engine and locks in memory. */
    public static ApplicationContextRunner local(Class<?>... configurations) {
        return plain().withPropertyValues("distribution-lock.executor=local").withUserConfiguration(configurations);
    }

    /** An application that Spring Boot connects to the Redis on this port of this machine. */
    public static ApplicationContextRunner redis(int port) {
        return plain().withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()))
                .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port);
    }
}
