package io.distributionlock.autoconfigure;

import org.springframework.util.ClassUtils;

/** Spring Boot's own auto-configuration of Redis, under the name that it has on the line that the tests run on. */
final class BootRedis {

    private static final String BEFORE_BOOT_4 =
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration";
    private static final String SINCE_BOOT_4 =
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration";

    private BootRedis() {}

    static Class<?> autoConfiguration() {
        ClassLoader classes = BootRedis.class.getClassLoader();
        String name = ClassUtils.isPresent(SINCE_BOOT_4, classes) ? SINCE_BOOT_4 : BEFORE_BOOT_4;
        return ClassUtils.resolveClassName(name, classes);
    }
}
