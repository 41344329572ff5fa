package io.distributionlock.benchmarks.contestants;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.benchmarks.contestants.Contestant.Held;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application of Spring Boot with Redis, as auto-configured; without the locks that are not asked for in it. */
public final class SpringRedis implements AutoCloseable {

    /** Its auto-configuration is made for Spring Boot 2. */
    private static final String LOCK4J = "com.baomidou.lock.spring.boot.autoconfigure.";

    private final ConfigurableApplicationContext context;

    private SpringRedis(Terms terms, String excluded) {
        Map<String, Object> properties = new HashMap<>(terms.redis().properties());
        properties.put(
                "spring.autoconfigure.exclude",
                LOCK4J + "LockAutoConfiguration," + LOCK4J + "RedisTemplateLockAutoConfiguration" + excluded);
        properties.put("spring.data.redis.timeout", terms.answer());
        properties.put("spring.data.redis.lettuce.shutdown-timeout", "0s");
        properties.put("logging.level.root", "warn");
        properties.put("distribution-lock.defaults.try-lock-time", terms.patience());
        properties.put("distribution-lock.defaults.lease-time", terms.lease());
        properties.put("distribution-lock.redis.command-timeout", terms.answer());
        properties.put("distribution-lock.shutdown.timeout", "1s");
        this.context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties(properties)
                .run();
    }

    static SpringRedis withLibrary(Terms terms) {
        return new SpringRedis(terms, "");
    }

    public static SpringRedis withoutLibrary(Terms terms) {
        return new SpringRedis(terms, "," + DistributionLockAutoConfiguration.class.getName());
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public SentCommands sent() {
        return bean(SentCommands.class);
    }

    /** A lock whose library does not say how long its lease lasts: for as long as Redis keeps its key. */
    public Held held(String key, BooleanSupplier release) {
        return new KeyHeld(bean(StringRedisTemplate.class), key, release);
    }

    @Override
    public void close() {
        context.close();
    }

    private record KeyHeld(StringRedisTemplate redis, String key, BooleanSupplier releasing) implements Held {

        @Override
        public long leaseLeft() {
            Long left = redis.getExpire(key, TimeUnit.MILLISECONDS);
            return left == null ? 0 : Math.max(0, left);
        }

        @Override
        public boolean release() {
            return releasing.getAsBoolean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        SentCommands sentCommands() {
            return new SentCommands();
        }

        @Bean
        ClientResourcesBuilderCustomizer countedCommands(SentCommands sent) {
            return resources -> resources.nettyCustomizer(sent.forLettuce());
        }
    }
}
