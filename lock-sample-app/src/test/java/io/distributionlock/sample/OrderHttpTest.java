package io.distributionlock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ContextConfiguration;

/** The answers of the endpoints over HTTP. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "sample.order.work-time=0",
            "sample.instance=test",
            Patience.WITH_BUSY_ORDERS,
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "sample.order.busy-message=Somebody is faster",
            "spring.datasource.url=jdbc:h2:mem:order-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class OrderHttpTest {

    @LocalServerPort
    private int port;

    /** The first call connects to Redis, which on a busy machine may take longer than the wait for a lock. */
    @BeforeEach
    void warmUp() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Answer.toUpdate(port, "A1004", 1, 3).isDone());
    }

    @Test
    void listsTheFirstOrders() {
        Answer answer = Answer.toOrders(port);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.code()).isZero();
        assertThat(answer.json().path("data").findValuesAsText("orderCode"))
                .contains("A1001", "A1002", "A1003", "A1004", "A1005");
        assertThat(answer.json().path("data").get(4).path("statusText").asText())
                .isEqualTo("失败");
    }

    @Test
    void changesTheStatus() {
        Answer answer = Answer.toUpdate(port, "A1002", 42, 2);

        assertThat(answer).matches(Answer::isDone, "done");
        assertThat(answer.message()).isEqualTo("修改订单状态成功");
        assertThat(answer.json().path("data").path("status").asInt()).isEqualTo(2);
        assertThat(answer.json().path("data").path("updatedBy").asInt()).isEqualTo(42);
        assertThat(Answer.toOrders(port).statusOf("A1002")).isEqualTo(2);
    }

    @Test
    void aFailedOrderNeverChangesAgain() {
        assertThat(Answer.toUpdate(port, "A1003", 1, 4)).matches(Answer::isDone, "done");

        for (int status = 1; status <= 4; status++) {
            assertRejected(Answer.toUpdate(port, "A1003", 1, status), 409, "失败");
        }
        assertThat(Answer.toOrders(port).statusOf("A1003")).isEqualTo(4);
    }

    @Test
    void whenTheLockIsHeldTheConfiguredBusyMessageIsAnswered(@Autowired LockTemplate locks) {
        try (Lease held = locks.acquire("updateOrderStatus:A1001")) {
            Answer answer = Answer.toUpdate(port, "A1001", 1, 2);

            assertThat(held.isValid()).isTrue();
            assertThat(answer).matches(Answer::isBusy, "busy");
            assertThat(answer.message()).isEqualTo("Somebody is faster");
            assertThat(answer.json().path("data").isNull()).isTrue();
        }
        assertThat(Answer.toUpdate(port, "A1001", 1, 1)).matches(Answer::isDone, "done after the release");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orderCode=NOPE&userId=1&status=2 | 404 | NOPE",
                "orderCode=A1001&userId=1&status=9 | 400 | 9",
                "orderCode=A1001&userId=1&status=0 | 400 | 0",
                "orderCode=A1001&userId=1&status=-1 | 400 | -1",
                "orderCode=A1001&userId=1&status=two | 400 | status",
                "orderCode=A1001&userId=1&status=99999999999 | 400 | status",
                "orderCode=A1001&userId=1&status= | 400 | status",
                "orderCode=A1001&userId=1 | 400 | status",
                "orderCode=A1001&userId=one&status=2 | 400 | userId",
                "orderCode=A1001&userId=0&status=2 | 400 | userId",
                "orderCode=A1001&userId=&status=2 | 400 | userId",
                "orderCode=A1001&status=2 | 400 | userId",
                "orderCode=&userId=1&status=2 | 400 | orderCode",
                "orderCode=%20%09&userId=1&status=2 | 400 | orderCode",
                "userId=1&status=2 | 400 | orderCode",
            })
    void badInputIsNamed(String query, int httpStatus, String named) {
        assertRejected(Answer.to("PUT", port, "/v1/test/updateOrderStatus?" + query), httpStatus, named);
    }

    @Test
    void aCodeThatIsTooLongIsRefused() {
        assertRejected(Answer.toUpdate(port, "A".repeat(65), 1, 2), 400, "orderCode");
    }

    @Test
    void anUnknownPathAWrongMethodAndAnUnacceptableFormatAreAnswered() {
        assertRejected(Answer.to("GET", port, "/v1/test/nothing"), 404, "404");
        assertRejected(
                Answer.to("POST", port, "/v1/test/updateOrderStatus?orderCode=A1001&userId=1&status=2"), 405, "405");
        assertRejected(Answer.to("GET", port, "/v1/test/orders", "Accept", "application/xml"), 406, "406");
    }

    private static void assertRejected(Answer answer, int httpStatus, String named) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(httpStatus);
        assertThat(answer.code()).as(answer.body()).isEqualTo(2);
        assertThat(answer.message()).contains(named);
        assertThat(answer.body()).doesNotContain("Exception", "at io.", "at org.");
    }
}
