package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Explains why there is no {@link LockTemplate} or {@link LockExecutor} to inject. */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingLockBeanFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private static final String TEMPLATE = "org.springframework.data.redis.core.StringRedisTemplate";
    private static final String EXECUTOR = LockProperties.PREFIX + ".executor";
    private static final String LOCAL = " For a single process or for tests, set " + EXECUTOR + "=local.";

    private final BeanFactory beanFactory;
    private final Environment environment;

    MissingLockBeanFailureAnalyzer(BeanFactory beanFactory, Environment environment) {
        this.beanFactory = beanFactory;
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        Class<?> wanted = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().resolve();
        if (wanted == null
                || !(LockTemplate.class.isAssignableFrom(wanted) || LockExecutor.class.isAssignableFrom(wanted))
                || cause.getNumberOfBeansFound() > 0
                || hasExecutor()) {
            return null;
        }
        String description = "There is no " + wanted.getSimpleName() + ", because ";
        String configured = environment.getProperty(EXECUTOR, "redis");
        if (configured.equalsIgnoreCase("quorum")) {
            return new FailureAnalysis(
                    description + "the property " + EXECUTOR
                            + " is 'quorum', which needs Spring Data Redis and Lettuce on the class path.",
                    "Add the dependency lock-spring-boot-starter, which brings both, and do not exclude lettuce-core from it.",
                    cause);
        }
        if (!configured.equalsIgnoreCase("redis")) {
            return new FailureAnalysis(
                    description + "the property " + EXECUTOR + " is '" + configured
                            + "', and nothing registered an executor for that.",
                    "Set " + EXECUTOR + " to 'redis', 'quorum' or 'local', or declare a bean of type LockExecutor.",
                    cause);
        }
        if (!ClassUtils.isPresent(TEMPLATE, beanFactory.getClass().getClassLoader())
                && !ClassUtils.isPresent(TEMPLATE, Thread.currentThread().getContextClassLoader())) {
            return new FailureAnalysis(
                    description + "Spring Data Redis is not on the class path.",
                    "Add the dependency spring-boot-starter-data-redis, or lock-spring-boot-starter, which brings it."
                            + LOCAL,
                    cause);
        }
        return new FailureAnalysis(
                description
                        + "there is no bean of type StringRedisTemplate or RedisConnectionFactory to reach Redis with.",
                "Do not exclude Spring Boot's auto-configuration for Redis, add lettuce-core (or jedis) to the class path if it"
                        + " was excluded, or declare one of these beans yourself." + LOCAL,
                cause);
    }

    private boolean hasExecutor() {
        return beanFactory instanceof ListableBeanFactory beans
                && beans.getBeanNamesForType(LockExecutor.class, true, false).length > 0;
    }
}
