package io.distributionlock.playground;

import static io.distributionlock.playground.Endpoints.ORDERS;
import static io.distributionlock.playground.Endpoints.ROOT;
import static io.distributionlock.playground.Endpoints.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** The answers of the endpoints over HTTP. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "playground.order.work-time=0",
            "playground.instance=test",
            Patience.WITH_BUSY_ORDERS,
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "playground.order.busy-message=Somebody is faster",
            "spring.datasource.url=jdbc:h2:mem:order-http;DB_CLOSE_DELAY=-1"
        })
@ActiveProfiles("dev")
@ContextConfiguration(initializers = OwnRedis.class)
class OrderHttpTest {

    @LocalServerPort
    private int port;

    @BeforeEach
    void warmUp() {
        await().atMost(Duration.ofSeconds(30)).until(() -> Answer.isFirstChangeDone(port));
    }

    @Test
    void listsTheFirstOrders() {
        Answer answer = Answer.toOrders(port);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.code()).isZero();
        assertThat(answer.json().path("data").findValuesAsString("orderCode"))
                .contains("A1001", "A1002", "A1003", "A1004", "A1005");
        assertThat(answer.json().path("data").get(4).path("statusText").asText())
                .isEqualTo("失败");
    }

    @Test
    void inDevelopmentNobodyElseInTheNetworkReachesIt() throws IOException {
        Network.assertNotReachable(port);
    }

    @Test
    void everyConverterCanWriteAnAnswer(@Autowired RequestMappingHandlerAdapter spring) {
        // One that cannot is no harm, but logs a warning at the first answer.
        assertThat(spring.getMessageConverters())
                .filteredOn(converter -> converter.getClass() == JacksonJsonHttpMessageConverter.class)
                .hasSize(1);
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
                "orderCode=A1001%00&userId=1&status=2 | 400 | orderCode",
                "orderCode=A1001%0d%0aX&userId=1&status=2 | 400 | orderCode",
                "orderCode=A1001&orderCode=A1002&userId=1&status=2 | 400 | orderCode",
                "orderCode=A1001&userId=1&userId=2&status=2 | 400 | userId",
                "userId=1&status=2 | 400 | orderCode",
            })
    void badInputIsNamed(String query, int httpStatus, String named) {
        assertRejected(Answer.to("PUT", port, UPDATE + "?" + query), httpStatus, named);
    }

    @Test
    void aCodeThatIsTooLongIsRefused() {
        assertRejected(Answer.toUpdate(port, "A".repeat(65), 1, 2), 400, "orderCode");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | " + ROOT + "/nothing | 404 | 请求的路径不存在",
                "GET | " + ROOT + ORDERS + "/ | 404 | 请求的路径不存在",
                "GET | " + ROOT + "/" + ORDERS + " | 404 | 请求的路径不存在",
                "GET | " + ROOT + "/error | 404 | 请求的路径不存在",
                "GET | /nothing | 404 | 请求的路径不存在",
                "POST | " + ROOT + UPDATE + "?orderCode=A1001&userId=1&status=2 | 405 | Allow",
                "BREW | " + ROOT + ORDERS + " | 405 | Allow",
                "TRACE | " + ROOT + ORDERS + " | 405 | Allow",
                "GET | " + ROOT + "/%ZZ | 400 | 编码",
                "GET | " + ROOT + ORDERS + "%2f | 400 | 编码",
                "GET | " + ROOT + ORDERS + "?<x> | 400 | 编码",
                "GET | " + ROOT + ORDERS + "?x=%ZZ | 400 | 解码",
                "PUT | " + ROOT + UPDATE + "?orderCode=%ZZ&userId=1&status=2 | 400 | 解码",
                "GET | " + ROOT + "/../secret | 404 | 请求的路径不存在",
                "GET | " + ROOT + "/../../secret | 400 | HTTP",
            })
    void aRequestThatCannotBeHandledIsToldWhy(String method, String target, int httpStatus, String named)
            throws IOException {
        assertRejected(RawRequest.send(port, method, target), httpStatus, named);
    }

    @Test
    void aRequestThatIsTooLongIsToldSo() throws IOException {
        assertRejected(RawRequest.send(port, "GET", ROOT + ORDERS + "?x=" + "A".repeat(20_000)), 400, "8 KB");
        assertRejected(RawRequest.send(port, "GET", ROOT + ORDERS, "X-Long: " + "A".repeat(100_000)), 400, "8 KB");
        assertRejected(RawRequest.send(port, "GET", ROOT + ORDERS, "Host: a b"), 400, "HTTP");
        assertRejected(RawRequest.send(port, "GET", ROOT + ORDERS, "Transfer-Encoding: x"), 501, "501");
    }

    @Test
    void aBodyIsNotExpectedAndNotRead() throws IOException {
        String update = ROOT + UPDATE;
        String query = "?orderCode=A1001&userId=1&status=1";
        for (String type : List.of("application/json", "multipart/form-data", "nonsense", "text/xml")) {
            assertThat(RawRequest.send(port, "PUT", update + query, "Content-Type: " + type, "Content-Length: 0"))
                    .as(type)
                    .matches(Answer::isDone, "done");
        }
        String form = "Content-Type: application/x-www-form-urlencoded";
        assertRejected(RawRequest.send(port, "PUT", update, form, "Content-Length: 0"), 400, "orderCode");
    }

    @Test
    void anUnacceptableFormatIsNamed() {
        assertRejected(Answer.to("GET", port, ORDERS, "Accept", "application/xml"), 406, "JSON");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "en | Order NOPE does not exist | failed",
                "en-GB,en;q=0.9 | Order NOPE does not exist | failed",
                "fr,en;q=0.5 | Order NOPE does not exist | failed",
                "zh-CN | 订单 NOPE 不存在 | 失败",
                "zh,en | 订单 NOPE 不存在 | 失败",
                "fr | 订单 NOPE 不存在 | 失败",
                "* | 订单 NOPE 不存在 | 失败",
            })
    void theAnswersAreInTheLanguageOfTheCaller(String languages, String message, String failed) {
        Answer answer = to("PUT", UPDATE + "?orderCode=NOPE&userId=1&status=2", languages);

        assertRejected(answer, 404, message);
        assertThat(to("GET", ORDERS, languages).body()).contains("\"" + failed + "\"");
    }

    @Test
    void everyKindOfAnswerIsTranslated() throws IOException {
        String update = UPDATE + "?orderCode=A1001&status=";
        assertThat(to("PUT", update + "1&userId=1", "en").message()).isEqualTo("Order status updated");
        assertRejected(to("PUT", update + "1&userId=0", "en"), 400, "Parameter userId must be a positive integer");
        assertRejected(to("PUT", update + "1&userId=x", "en"), 400, "Parameter userId is malformed");
        assertRejected(to("PUT", update + "1", "en"), 400, "The query lacks the parameter userId");
        assertRejected(to("PUT", update + "9&userId=1", "en"), 400, "Unknown order status 9");
        assertRejected(to("GET", "/nothing", "en"), 404, "No such path");
        assertRejected(RawRequest.send(port, "GET", "/nothing", "Accept-Language: en"), 404, "No such path");
    }

    private Answer to(String method, String pathAndQuery, String languages) {
        return Answer.to(method, port, pathAndQuery, "Accept-Language", languages);
    }

    private static void assertRejected(Answer answer, int httpStatus, String named) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(httpStatus);
        assertThat(answer.code()).as(answer.body()).isEqualTo(2);
        assertThat(answer.message()).contains(named);
        assertThat(answer.body()).doesNotContain("Exception", "at io.", "at org.");
    }
}
