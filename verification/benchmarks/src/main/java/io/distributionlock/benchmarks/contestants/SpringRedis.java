package io.distributionlock.benchmarks.contestants;

import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application of Spring Boot with Redis, as auto-configured; without the locks that are not measured in it. */
final class SpringRedis implements AutoCloseable {

    private static final String LOCK4J = "com.baomidou.lock.spring.boot.autoconfigure.";

    private final ConfigurableApplicationContext context;

    private SpringRedis(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static SpringRedis withLibrary(int port) {
        return start(port, List.of());
    }

    static SpringRedis withoutLibrary(int port) {
        return start(port, List.of(DistributionLockAutoConfiguration.class.getName()));
    }

    private static SpringRedis start(int port, List<String> excluded) {
        List<String> exclusions = new ArrayList<>(excluded);
        exclusions.add(LOCK4J + "LockAutoConfiguration");
        exclusions.add(LOCK4J + "RedisTemplateLockAutoConfiguration");
        SpringApplication application = new SpringApplication(Application.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of(
                "spring.data.redis.host",
                "127.0.0.1",
                "spring.data.redis.port",
                port,
                "spring.autoconfigure.exclude",
                String.join(",", exclusions),
                "logging.level.root",
                "warn",
                "distribution-lock.defaults.try-lock-time",
                Contestants.WAIT,
                "distribution-lock.defaults.lease-time",
                Contestants.LEASE,
                "distribution-lock.redis.command-timeout",
                Contestants.COMMAND_TIMEOUT));
        return new SpringRedis(application.run());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    SentCommands sent() {
        return bean(SentCommands.class);
    }

    @Override
    public void close() {
        context.close();
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
