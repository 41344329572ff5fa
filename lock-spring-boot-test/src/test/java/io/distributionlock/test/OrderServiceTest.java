package io.distributionlock.test;

import static io.distributionlock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The example of the page on testing. */
@Tag("boot4")
@SpringBootTest
@ScriptedLocks
class OrderServiceTest {

    @Autowired
    ScriptedLockExecutor locks;

    @Autowired
    OrderService orders;

    @Test
    void anOrderIsUpdatedUnderItsLock() {
        assertThat(orders.update("A1001")).isEqualTo("updated A1001");
        assertThat(locks).wasAskedFor("updateOrderStatus:A1001").isFree("updateOrderStatus:A1001");
    }

    @Test
    void aBusyOrderIsLeftAlone() {
        locks.when("updateOrderStatus:A1001").busy();
        assertThat(orders.update("A1001")).isEqualTo("try A1001 later");
        assertThat(orders.update("A1002")).isEqualTo("updated A1002");
    }

    @Test
    void withoutRedisNothingIsClosed() {
        locks.whenNext("close:A1001").backendFails();
        assertThatThrownBy(() -> orders.close("A1001", () -> {})).isInstanceOf(LockBackendException.class);
        assertThat(orders.close("A1001", () -> {})).isEqualTo("closed A1001");
    }

    @Test
    void aLostLockIsNotHidden() {
        assertThatThrownBy(() -> orders.close("A1001", () -> locks.lose("close:A1001")))
                .isInstanceOf(LockLostException.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrderService.class)
    static class Application {}

    static class OrderService {

        @DistributionLock(key = "updateOrderStatus", fallbackMethod = "later")
        public String update(@DistributionLockParam String orderCode) {
            return "updated " + orderCode;
        }

        String later(String orderCode, LockNotAcquiredException busy) {
            return "try " + orderCode + " later";
        }

        @DistributionLock(key = "close", onLost = OnLost.THROW)
        public String close(@DistributionLockParam String orderCode, Runnable booking) {
            booking.run();
            return "closed " + orderCode;
        }
    }
}
