package io.distributionlock.rack;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application of Spring Boot with Redis as auto-configured, with or without this library. */
final class SpringApplicationOn implements AutoCloseable {

    /** Its auto-configuration is made for Spring Boot 2. */
    private static final String LOCK4J = "com.baomidou.lock.spring.boot.autoconfigure.";

    private final ConfigurableApplicationContext context;

    SpringApplicationOn(Address redis, boolean withLibrary) {
        Map<String, Object> properties = new HashMap<>(redis.properties());
        properties.put(
                "spring.autoconfigure.exclude",
                LOCK4J + "LockAutoConfiguration," + LOCK4J + "RedisTemplateLockAutoConfiguration"
                        + (withLibrary ? "" : "," + DistributionLockAutoConfiguration.class.getName()));
        properties.put("spring.data.redis.timeout", Contestant.COMMAND);
        properties.put("spring.data.redis.lettuce.shutdown-timeout", "0s");
        properties.put("logging.level.root", "off");
        properties.put("distribution-lock.defaults.try-lock-time", Contestant.WAIT);
        properties.put("distribution-lock.defaults.lease-time", Contestant.LEASE);
        properties.put("distribution-lock.shutdown.timeout", "1s");
        this.context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(properties)
                .run();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** How long Redis keeps a key yet: the lease of a lock whose library does not say how long it lasts. */
    long millisLeft(String key) {
        try {
            Long left = bean(StringRedisTemplate.class).getExpire(key, TimeUnit.MILLISECONDS);
            return left == null ? 0 : Math.max(0, left);
        } catch (RuntimeException unknown) {
            return 0;
        }
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
