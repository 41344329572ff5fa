package io.distributionlock.sample;

import static io.distributionlock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.any;
import static org.mockito.Mockito.doAnswer;

import io.distributionlock.test.ScriptedLockExecutor;
import io.distributionlock.test.ScriptedLocks;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;

/** One instance, with locks whose outcome the test decides. */
@SpringBootTest
@ScriptedLocks
class OrderTest {

    private static final String LOCK = "updateOrderStatus:A1";
    private static final Order NEW = new Order("A1", "tea", OrderStatus.NOT_SENT, 1, 0);

    @Autowired
    private ScriptedLockExecutor locks;

    @MockitoSpyBean
    private Orders orders;

    private MockMvcTester web;

    @BeforeEach
    void anOrder(@Autowired WebApplicationContext application, @Autowired KnownHosts hosts) {
        web = MockMvcTester.from(
                application, builder -> builder.addFilter(hosts).build());
        if (orders.find("A1").isEmpty()) {
            orders.insert(NEW);
        }
        orders.update(NEW);
    }

    private MvcTestResult update(String orderCode, int status) {
        return web.put()
                .uri("/v1/test/updateOrderStatus?orderCode={code}&userId=7&status={status}", orderCode, status)
                .exchange();
    }

    private MvcTestResult create(String item) {
        return web.post().uri("/v1/test/orders?userId=7&item={item}", item).exchange();
    }

    private static void isAnswered(MvcTestResult answer, int httpStatus, int code, String message) {
        assertThat(answer).hasStatus(httpStatus);
        assertThat(answer).bodyJson().extractingPath("$.code").isEqualTo(code);
        assertThat(answer).bodyJson().extractingPath("$.message").isEqualTo(message);
    }

    private void isUnchanged() {
        assertThat(orders.find("A1")).contains(NEW);
    }

    @Test
    void anOrderChangesUnderItsLock() {
        isAnswered(update("A1", 2), 200, 0, "Order status updated");
        assertThat(locks).wasAskedFor(LOCK).isFree(LOCK);
        assertThat(orders.find("A1")).contains(new Order("A1", "tea", OrderStatus.SENT, 7, 1));
    }

    @Test
    void aBusyOrderIsLeftAlone() {
        locks.when(LOCK).busy();
        isAnswered(update("A1", 2), 200, 1, "Busy; try again later");
        isUnchanged();
    }

    @Test
    void withoutRedisNothingChanges() {
        locks.when(LOCK).backendFails();
        isAnswered(update("A1", 2), 503, 3, "Not possible now; nothing was done");
        isUnchanged();
    }

    /** The commit comes before the release, so a lost lock still prevents it. */
    @Test
    void aChangeWhoseLockIsLostIsRolledBack() {
        doAnswer(update -> {
                    Object done = update.callRealMethod();
                    locks.lose(LOCK);
                    return done;
                })
                .when(orders)
                .update(any());
        isAnswered(update("A1", 2), 500, 4, "Interrupted; look at the order before you repeat it");
        isUnchanged();
    }

    @Test
    void aDoubleSubmitCreatesOneOrder() {
        isAnswered(create("coffee"), 200, 0, "Order created");
        isAnswered(create("coffee"), 200, 5, "You have just done this");
        assertThat(orders.findAll())
                .filteredOn(order -> order.item().equals("coffee"))
                .hasSize(1);
        isAnswered(create("cocoa"), 200, 0, "Order created");
    }

    @Test
    void aWrongRequestIsToldWhy() {
        isAnswered(update("A2", 2), 404, 2, "There is no order A2");
        isAnswered(update("A1", 5), 400, 2, "There is no status 5: use 1 to 4");
        isAnswered(update("A1", 4), 200, 0, "Order status updated");
        isAnswered(update("A1", 2), 409, 2, "Order A1 has failed and stays so");
        assertThat(web.get().uri("/v1/test/nothing")).hasStatus(404);
    }

    @Test
    void anotherHostNameIsRefused() {
        assertThat(web.get().uri("http://elsewhere.example/v1/test/orders")).hasStatus(403);
    }
}
