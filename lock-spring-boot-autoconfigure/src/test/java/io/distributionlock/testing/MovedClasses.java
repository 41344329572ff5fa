package io.distributionlock.testing;

import org.springframework.util.ClassUtils;

/** Auto-configurations of Spring Boot, under the names that they have on the line that the tests run on. */
public final class MovedClasses {

    private MovedClasses() {}

    public static Class<?> redisAutoConfiguration() {
        return either(
                "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration");
    }

    public static Class<?> transactionAutoConfiguration() {
        return either(
                "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
                "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration");
    }

    public static Class<?> validationAutoConfiguration() {
        return either(
                "org.springframework.boot.autoconfigure.validation.ValidationAutoConfiguration",
                "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration");
    }

    private static Class<?> either(String beforeBoot4, String sinceBoot4) {
        ClassLoader classes = MovedClasses.class.getClassLoader();
        String name = ClassUtils.isPresent(sinceBoot4, classes) ? sinceBoot4 : beforeBoot4;
        return ClassUtils.resolveClassName(name, classes);
    }
}
