package io.distributionlock.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockContext;
import io.distributionlock.LockTemplate;
import io.distributionlock.integration.DistributionLockRegistry;
import io.distributionlock.testing.RedisProcess;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** All of these libraries in one application, with beans of its own whose names lock libraries like to use. */
class AllLibrariesTest {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Test
    void theirLocksAreHeldTogether() {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + redis.port(),
                        "distribution-lock.leader.elections=lock")
                .run()) {
            AtomicInteger ran = new AtomicInteger();
            application.getBean(Lock4jMigrationTest.OrdersBetween.class).update("A1001", () -> {
                application.getBean(ShedLockMigrationTest.JobBetween.class).run(() -> {
                    assertThat(LockContext.isHeld()).isTrue();
                    Set<String> keys =
                            application.getBean(StringRedisTemplate.class).keys("*");
                    assertThat(keys)
                            .contains("lock4j:order#A1001", "job-lock:default:order:A1001")
                            .anyMatch(key -> key.startsWith("distribution-lock:"));
                    ran.incrementAndGet();
                });
            });
            assertThat(ran).hasValue(1);
            assertThat(application.getBeansOfType(com.baomidou.lock.LockTemplate.class))
                    .hasSize(1);
            assertThat(application.getBeansOfType(LockTemplate.class)).hasSize(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableIntegration
    @Import({
        Lock4jMigrationTest.NewOrders.class,
        Lock4jMigrationTest.OrdersBetween.class,
        ShedLockMigrationTest.NewJob.class,
        ShedLockMigrationTest.JobBetween.class,
        ShedLockMigrationTest.Provider.class
    })
    static class Application {

        @Bean
        String lockExecutor() {
            return "of the application";
        }

        @Bean
        String lockScope() {
            return "of the application";
        }

        @Bean
        RedisLockRegistry lockRegistry(RedisConnectionFactory connections) {
            return new RedisLockRegistry(connections, "orders");
        }

        @Bean
        DistributionLockRegistry distributionLockRegistry(LockTemplate lockTemplate) {
            return new DistributionLockRegistry(lockTemplate);
        }

        @Bean
        RedisMessageListenerContainer redisMessageListenerContainer(RedisConnectionFactory connections) {
            RedisMessageListenerContainer container = new RedisMessageListenerContainer();
            container.setConnectionFactory(connections);
            return container;
        }
    }
}
