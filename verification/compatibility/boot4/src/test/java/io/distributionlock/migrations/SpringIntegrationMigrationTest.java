package io.distributionlock.migrations;

import io.distributionlock.LockTemplate;
import io.distributionlock.integration.DistributionLockRegistry;
import io.distributionlock.testing.RedisProcess;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AutoClose;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

class SpringIntegrationMigrationTest extends MigrationContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    SpringIntegrationMigrationTest() {
        super(redis, Orders.class, REDISSON, LOCK4J);
    }

    @Override
    String oldKey() {
        return "orders:" + LOCK;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Orders {

        @Bean
        RedisLockRegistry lockRegistry(RedisConnectionFactory connections) {
            return new RedisLockRegistry(connections, "orders");
        }

        @Bean
        DistributionLockRegistry newRegistry(LockTemplate lockTemplate) {
            return new DistributionLockRegistry(lockTemplate);
        }

        @Bean
        Version before(RedisLockRegistry locks) {
            return work -> locked(locks, work);
        }

        @Bean
        Version both(RedisLockRegistry locks, DistributionLockRegistry newLocks) {
            return work -> locked(locks, () -> locked(newLocks, work));
        }

        @Bean
        Version after(DistributionLockRegistry newLocks) {
            return work -> locked(newLocks, work);
        }

        private static void locked(LockRegistry<?> registry, Runnable work) {
            Lock lock = registry.obtain(LOCK);
            if (lock.tryLock()) {
                try {
                    work.run();
                } finally {
                    lock.unlock();
                }
            }
        }
    }
}
