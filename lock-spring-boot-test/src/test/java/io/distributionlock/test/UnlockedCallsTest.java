package io.distributionlock.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** When an annotated method runs without its lock and nothing says so. docs/guarantees.md lists these cases; there are no others. */
class UnlockedCallsTest {

    @SpringJUnitConfig(OrderService.class)
    @LocalLocks
    static class WithTheKit {}

    @SpringJUnitConfig(OrderService.class)
    static class WithoutTheKit {}

    @Test
    void aBeanThatAnotherOneCallsIsLocked() throws Exception {
        assertThat(orders(WithTheKit.class).update("A1")).isEqualTo("locked");
    }

    @Test
    void anObjectThatCallsItself() throws Exception {
        assertThat(orders(WithTheKit.class).updateThroughThis("A1")).isEqualTo("unlocked");
    }

    @Test
    void anObjectThatWasMadeWithNew() {
        assertThat(new OrderService().update("A1")).isEqualTo("unlocked");
    }

    @Test
    void aTestThatLoadsAPartOfTheApplicationWithoutTheKit() throws Exception {
        assertThat(orders(WithoutTheKit.class).update("A1")).isEqualTo("unlocked");
    }

    private static OrderService orders(Class<?> test) throws Exception {
        ApplicationContext context =
                new TestContextManager(test).getTestContext().getApplicationContext();
        return context.getBean(OrderService.class);
    }

    static class OrderService {

        @DistributionLock(key = "update")
        public String update(@DistributionLockParam String orderCode) {
            return LockContext.leases().isEmpty() ? "unlocked" : "locked";
        }

        public String updateThroughThis(String orderCode) {
            return update(orderCode);
        }
    }
}
