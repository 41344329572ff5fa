package io.distributionlock.migrations;

import com.baomidou.lock.annotation.Lock4j;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.RedisProcess;
import org.junit.jupiter.api.AutoClose;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

class Lock4jMigrationTest extends MigrationContract {

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    Lock4jMigrationTest() {
        super(redis, Orders.class, REDISSON);
    }

    @Override
    String oldKey() {
        return "lock4j:order#A1001";
    }

    @Configuration(proxyBeanMethods = false)
    @Import({OldOrders.class, NewOrders.class, OrdersBetween.class})
    static class Orders {

        @Bean
        Version before(OldOrders orders) {
            return work -> orders.update("A1001", work);
        }

        @Bean
        Version both(OrdersBetween orders) {
            return work -> orders.update("A1001", work);
        }

        @Bean
        Version after(NewOrders orders) {
            return work -> orders.update("A1001", work);
        }
    }

    static class OldOrders {

        @Lock4j(name = "order", keys = "#code", acquireTimeout = 1)
        public void update(String code, Runnable work) {
            work.run();
        }
    }

    static class OrdersBetween {

        private final NewOrders orders;

        OrdersBetween(NewOrders orders) {
            this.orders = orders;
        }

        @Lock4j(name = "order", keys = "#code", acquireTimeout = 1)
        public void update(String code, Runnable work) {
            orders.update(code, work);
        }
    }

    static class NewOrders {

        @DistributionLock(key = "order", tryLockTime = 0)
        public void update(@DistributionLockParam String code, Runnable work) {
            work.run();
        }
    }
}
