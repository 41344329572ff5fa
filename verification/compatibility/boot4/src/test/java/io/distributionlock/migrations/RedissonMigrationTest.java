package io.distributionlock.migrations;

import io.distributionlock.LockTemplate;
import io.distributionlock.testing.RedisProcess;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AutoClose;
import org.redisson.api.RedissonClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class RedissonMigrationTest extends MigrationContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    RedissonMigrationTest() {
        super(redis, Orders.class, LOCK4J);
    }

    @Override
    String oldKey() {
        return LOCK;
    }

    @Configuration(proxyBeanMethods = false)
    @Import(NewOrders.class)
    static class Orders {

        @Bean
        Version before(RedissonClient redisson) {
            return work -> locked(redisson, work);
        }

        @Bean
        Version both(RedissonClient redisson, NewOrders orders) {
            return work -> locked(redisson, () -> orders.run(work));
        }

        @Bean
        Version after(NewOrders orders) {
            return orders;
        }

        private static void locked(RedissonClient redisson, Runnable work) {
            Lock lock = redisson.getLock(LOCK);
            if (lock.tryLock()) {
                try {
                    work.run();
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    static class NewOrders implements Version {

        private final LockTemplate lockTemplate;

        NewOrders(LockTemplate lockTemplate) {
            this.lockTemplate = lockTemplate;
        }

        @Override
        public void run(Runnable work) {
            Lock lock = lockTemplate.lock(LOCK);
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
