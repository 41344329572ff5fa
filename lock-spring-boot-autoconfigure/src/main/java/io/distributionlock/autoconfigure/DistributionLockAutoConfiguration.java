package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Registers a {@link LockExecutor} for the configured backend, a {@link LockTemplate} that uses it, and the advice for annotated methods.
 * Each backs off if the application, or a parent of its context, has one. {@link LockBeans} says which beans there are.
 *
 * <p>The beans that lock are created when one of them is needed, and at the latest at the end of the start if the application has a
 * locked method or has set a property, so that {@link LockStart} finds every mistake. Otherwise they cost nothing.
 */
@AutoConfiguration(
        afterName = {
            // The names before and since Spring Boot 4.
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@Import({LockConfigurationSelector.class, LockBeans.class})
public class DistributionLockAutoConfiguration {}
