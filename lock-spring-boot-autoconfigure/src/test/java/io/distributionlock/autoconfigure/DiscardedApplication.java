package io.distributionlock.autoconfigure;

import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOwner;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.event.LockReleasedEvent;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.MovedClasses;
import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

/** Locks in each way that may leave a class in a cache, and closes without having released everything. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({AopAutoConfiguration.class, DistributionLockAutoConfiguration.class})
@Import(DiscardedApplication.Orders.class)
public class DiscardedApplication {

    public static void run(int port) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        DiscardedApplication.class, MovedClasses.redisAutoConfiguration())
                .web(WebApplicationType.NONE)
                // A hook of the virtual machine would keep the class loader that was the first to register it.
                .registerShutdownHook(false)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.data.redis.port=" + port,
                        "distribution-lock.events.enabled=true",
                        "distribution-lock.shutdown.timeout=0",
                        "distribution-lock.redis.command-timeout=20s",
                        "distribution-lock.defaults.try-lock-time=20s")
                .run()) {
            Orders orders = context.getBean(Orders.class);
            orders.update(new Order("A1", LocalDate.of(2026, 11, 22)));
            orders.later(new Order("A2", LocalDate.of(2026, 11, 22))).join();
            context.getBeansOfType(LockTemplate.class).forEach((name, locks) -> leaveOneHeld(name, locks));
        }
    }

    @Bean(defaultCandidate = false)
    RedisLockExecutor second(LockExecutors executors, @Value("${spring.data.redis.port}") int port) {
        return executors.redis("redis://127.0.0.1:" + port);
    }

    @Bean(defaultCandidate = false)
    LockTemplate inSecond(@Qualifier("second") LockExecutor executor, LockTemplateConfigurer configurer) {
        return configurer.configure(LockTemplate.builder(executor)).build();
    }

    private static void leaveOneHeld(String name, LockTemplate locks) {
        Lease held = locks.acquire("held:" + name);
        held.onLost(lease -> System.out.println("[lost] " + lease));
        locks.attempt(
                locks.request("held:" + name)
                        .tryLockTime(Duration.ofMillis(300))
                        .build(),
                LockOwner.unique());
    }

    /** What names a lock. */
    public record Order(@DistributionLockParam String code, LocalDate day) {}

    /** Locked by annotations. */
    public static class Orders {

        @DistributionLock(key = "update:#{#order.day.year}:#{#order.code}")
        public String update(Order order) {
            return order.code();
        }

        @DistributionLock(key = "later")
        public CompletableFuture<String> later(@DistributionLockParam Order order) {
            return CompletableFuture.completedFuture(order.code());
        }

        @EventListener
        void released(LockReleasedEvent released) {}
    }
}
