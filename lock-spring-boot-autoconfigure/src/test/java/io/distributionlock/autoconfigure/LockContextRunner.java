package io.distributionlock.autoconfigure;

import io.distributionlock.aop.ScriptedLockExecutor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application with this library and a lock in memory. */
public final class LockContextRunner {

    private LockContextRunner() {}

    public static ApplicationContextRunner with(ScriptedLockExecutor executor, Class<?>... configurations) {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(AopAutoConfiguration.class, DistributionLockAutoConfiguration.class))
                .withBean(ScriptedLockExecutor.class, () -> executor)
                .withUserConfiguration(configurations);
    }
}
