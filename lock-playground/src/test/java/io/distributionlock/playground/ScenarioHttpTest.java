package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;

/** The answers of the scenarios' endpoints over HTTP. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "playground.instance=test",
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "playground.work.time=0",
            "playground.order.work-time=0",
            "spring.datasource.url=jdbc:h2:mem:scenario-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class ScenarioHttpTest {

    @LocalServerPort
    private int port;

    @BeforeEach
    void warmUp() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Answer.toUpdate(port, "A1004", 1, 3).isDone());
    }

    @Test
    void aFlashSaleHasAnAnswerForEachCase() {
        assertThat(post("/v1/flash-sales/tea/orders?userId=1"))
                .matches(Answer::isDone, "done")
                .extracting(Answer::message)
                .isEqualTo("抢购成功");
        assertRefusal("/v1/flash-sales/tea/orders?userId=1", 14, "每人限购一件，您已购买过");
        assertRefusal("/v1/flash-sales/coffee/orders?userId=1", 11, "活动尚未开始");
        assertRefusal("/v1/flash-sales/cocoa/orders?userId=1", 12, "活动已经结束");
        for (int userId = 2; userId <= 100; userId++) {
            assertThat(post("/v1/flash-sales/tea/orders?userId=" + userId)).matches(Answer::isDone, "done");
        }
        assertRefusal("/v1/flash-sales/tea/orders?userId=101", 13, "商品已售罄");
        assertRefusal("/v1/flash-sales/tea/orders?userId=50", 14, "每人限购一件，您已购买过");
    }

    @Test
    void theFirstAddressIsTheDefaultAndTheNextOneIsNot() {
        assertThat(post("/v1/addresses?userId=5&street=Main").message()).isEqualTo("地址已添加，并设为默认地址");
        assertThat(post("/v1/addresses?userId=5&street=Side").message()).isEqualTo("地址已添加");
        assertThat(Answer.to("GET", port, "/v1/addresses?userId=5")
                        .json()
                        .path("data")
                        .findValuesAsString("isDefault"))
                .containsExactly("true", "false");
    }

    @Test
    void aTurnOfTheJobThatHasRunDoesNotRunAgain() {
        assertThat(post("/v1/job-runs?turn=noon")
                        .json()
                        .path("data")
                        .path("instance")
                        .asText())
                .isEqualTo("test");
        Answer again = post("/v1/job-runs?turn=noon");
        assertThat(again).matches(Answer::isBusy, "busy");
        assertThat(again.message()).isEqualTo("本轮任务已由其他线程或实例执行");
        assertThat(Answer.to("GET", port, "/v1/job-runs").json().path("data").findValuesAsString("turn"))
                .containsOnlyOnce("noon");
    }

    @Test
    void aTransferMovesMoneyIfThereIsEnough() {
        Answer done = post("/v1/transfers?from=alice&to=bob&amount=2500");
        assertThat(done).matches(Answer::isDone, "done");
        assertThat(Answer.to("GET", port, "/v1/accounts").json().path("data").findValuesAsString("balance"))
                .containsExactly("97500", "102500", "100000");

        assertRejected(post("/v1/transfers?from=alice&to=bob&amount=97501"), 409, "余额不足");
        assertThat(Answer.to("GET", port, "/v1/accounts?prefix=al")
                        .json()
                        .path("data")
                        .findValuesAsString("balance"))
                .containsExactly("97500");
    }

    @Test
    void aQueueGivesOutItsPlacesAndIsThenFull() {
        for (int visitor = 1; visitor <= 10; visitor++) {
            assertThat(post("/v1/queues/museum/tickets?visitor=" + visitor)
                            .json()
                            .path("data")
                            .path("place")
                            .asInt())
                    .isEqualTo(visitor);
        }
        assertRefusal("/v1/queues/museum/tickets?visitor=11", 21, "名额已满");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NONE", "LOCK", "DATABASE"})
    void aLastItemIsSoldOnce(String guard) {
        String path = "/v1/last-items/vase-" + guard + "/sales?guard=" + guard;
        assertThat(post(path)).matches(Answer::isDone, "done");
        assertRefusal(path, 13, "商品已售罄");
    }

    @Test
    void invoicesAreNumberedEvenWithoutMasters() {
        for (int number = 1; number <= 3; number++) {
            Answer answer = post("/v1/orders/A1001/invoices");
            assertThat(answer.message()).isEqualTo("开票成功");
            assertThat(answer.json().path("data").path("number").asInt()).isEqualTo(number);
        }
        assertThat(Answer.to("GET", port, "/v1/orders/A1001/invoices")
                        .json()
                        .path("data")
                        .findValuesAsString("number"))
                .containsExactly("1", "2", "3");
        assertThat(Answer.to("GET", port, "/v1/masters").json().path("data")).isEmpty();
    }

    @Test
    void aPriceIsReadAsItWasWritten() {
        assertThat(Answer.to("PUT", port, "/v1/catalogue/tea?net=1000").message())
                .isEqualTo("价格已更新");
        assertThat(Answer.to("GET", port, "/v1/catalogue/tea")
                        .json()
                        .path("data")
                        .path("gross")
                        .asInt())
                .isEqualTo(1200);
        assertRejected(Answer.to("PUT", port, "/v1/catalogue/tea?net=0"), 400, "net");
        assertRejected(Answer.to("GET", port, "/v1/catalogue/wine"), 404, "wine");
    }

    /** Each scenario, while another holds its lock. */
    @ParameterizedTest
    @CsvSource({
        "PUT, /v1/test/updateOrderStatus?orderCode=A1001&userId=1&status=2, updateOrderStatus:A1001",
        "POST, /v1/flash-sales/held/orders?userId=1, flashSale:held",
        "POST, /v1/job-runs?turn=held, report:held",
        "POST, /v1/addresses?userId=6&street=Main, userAddress:6",
        "POST, /v1/queues/held/tickets?visitor=Ann, queue:held",
        "GET, /v1/catalogue/tea, catalogue:tea",
        "PUT, /v1/catalogue/tea?net=1000, catalogue:tea",
        "POST, /v1/transfers?from=carol&to=bob&amount=1, account:bob",
        "POST, /v1/orders/held/invoices, invoice:held",
    })
    void aRequestOfABurstWithoutTheLockIsNotKeptOut(
            String method, String path, String lock, @Autowired LockTemplate locks, @Autowired JdbcClient database) {
        database.sql("MERGE INTO queues KEY (queue) VALUES ('held', 1)").update();
        database.sql("MERGE INTO flash_sales KEY (item)"
                        + " SELECT 'held', 1, CURRENT_TIMESTAMP, ends_at FROM flash_sales WHERE item = 'coffee'")
                .update();
        try (Lease held = locks.acquire(lock)) {
            Answer answer = Answer.to(method, port, path, "X-Playground-Run", "held", "X-Playground-Lock", "off");

            assertThat(held.isValid()).isTrue();
            assertThat(answer).matches(Answer::isDone, "done");
        }
    }

    @Test
    void onlyARequestOfABurstIsWithoutTheLock(@Autowired LockTemplate locks) {
        try (Lease held = locks.acquire("report:guarded")) {
            assertThat(Answer.to("POST", port, "/v1/job-runs?turn=guarded", "X-Playground-Lock", "off"))
                    .matches(Answer::isBusy, "busy");
            assertThat(Answer.to("POST", port, "/v1/job-runs?turn=guarded", "X-Playground-Run", "guarded"))
                    .matches(Answer::isBusy, "busy");
            assertThat(held.isValid()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/flash-sales/wine/orders?userId=1 | 404 | wine",
                "/v1/flash-sales/tea/orders?userId=0 | 400 | userId",
                "/v1/flash-sales/tea/orders | 400 | userId",
                "/v1/flash-sales/tea/orders?userId=x | 400 | userId",
                "/v1/addresses?userId=-1&street=Main | 400 | userId",
                "/v1/addresses?userId=1&street=%20 | 400 | street",
                "/v1/addresses?userId=1 | 400 | street",
                "/v1/job-runs?turn= | 400 | turn",
                "/v1/transfers?from=alice&to=alice&amount=1 | 400 | to",
                "/v1/transfers?from=alice&to=nobody&amount=1 | 404 | nobody",
                "/v1/transfers?from=alice&to=bob&amount=0 | 400 | amount",
                "/v1/transfers?from=&to=bob&amount=1 | 400 | from",
                "/v1/queues/nowhere/tickets?visitor=1 | 404 | nowhere",
                "/v1/queues/museum/tickets?visitor=%20 | 400 | visitor",
                "/v1/queues/museum/tickets | 400 | visitor",
                "/v1/last-items/vase/sales | 400 | guard",
                "/v1/last-items/vase/sales?guard=LUCK | 400 | guard",
                "/v1/last-items/vase/sales?guard=LOCK&pause=60001 | 400 | pause",
                "/v1/masters/6396/kill | 404 | 6396",
                "/v1/masters/6396/start | 404 | 6396",
                "/v1/masters/first/kill | 400 | port",
                "/v1/bursts?scenario=nothing&requests=1 | 404 | nothing",
                "/v1/bursts?scenario=flash-sale&requests=0 | 400 | requests",
                "/v1/bursts?scenario=flash-sale&requests=601 | 400 | requests",
            })
    void badInputIsNamed(String path, int httpStatus, String named) {
        assertRejected(post(path), httpStatus, named);
    }

    @Test
    void anUnknownRunAndAnUnknownInstanceAreNamed() {
        assertRejected(Answer.to("GET", port, "/v1/bursts/nothing"), 404, "nothing");
        assertRejected(Answer.to("GET", port, "/v1/freezes/nothing"), 404, "nothing");
        assertRejected(Answer.to("GET", port, "/v1/timeline?instance=nobody"), 404, "nobody");
    }

    @Test
    void anInstanceThatNoLongerAnswersIsAnAnswerAndNotAFailure(@Autowired JdbcClient database) {
        database.sql("INSERT INTO instances (name, url, seen_at) VALUES ('silent', 'http://localhost:1/api', 0)")
                .update();

        for (String path : List.of("/v1/timeline?instance=silent&after=7", "/v1/timeline/open?instance=silent")) {
            Answer answer = Answer.to("GET", port, path);
            assertThat(answer).matches(Answer::isDone, "done");
            assertThat(answer.json().path("data").path("answers").asBoolean(true))
                    .isFalse();
        }
    }

    @Test
    void withoutASecondInstanceThereIsNoneToKillOrFreeze() {
        assertThat(Answer.to("GET", port, "/v1/instances/second").body()).contains("\"phase\":\"NONE\"");
        assertRejected(post("/v1/instances/second/kill"), 409, "第二个实例");
        assertRejected(post("/v1/freezes"), 409, "第二个实例");
    }

    @Test
    void aLeaderThatStepsDownIsElectedAgainWithAGreaterToken() {
        long first = LeaderTerm.awaitAfter(port, 0);
        assertThat(post("/v1/instances/leader/step-down")).matches(Answer::isDone, "done");
        assertThat(LeaderTerm.awaitAfter(port, first)).isGreaterThan(first);
    }

    @Test
    void theRootLeadsToThePage() throws Exception {
        HttpRequest root = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
                .build();
        HttpResponse<String> answer = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build()
                .send(root, BodyHandlers.ofString());

        assertThat(answer.uri().getPath()).isEqualTo("/api/");
        assertThat(answer.body()).contains("<title>Distribution Lock</title>");
    }

    @Test
    void theAnswersAreInTheLanguageOfTheCaller(@Autowired LockTemplate locks) {
        String update = "/v1/test/updateOrderStatus?orderCode=A1001&userId=1&status=2";
        try (Lease held = locks.acquire("updateOrderStatus:A1001")) {
            assertThat(inEnglish("PUT", update))
                    .matches(Answer::isBusy, "busy")
                    .satisfies(busy -> assertThat(busy.message()).isEqualTo("Busy; try again later"));
            assertThat(Answer.to("PUT", port, update).message()).isEqualTo("业务处理繁忙，请稍后重试");
            assertThat(held.isValid()).isTrue();
        }
        assertThat(inEnglish("POST", "/v1/flash-sales/coffee/orders?userId=1").message())
                .isEqualTo("The sale has not started");
        assertRejected(
                Command.to(port, "/v1/bursts?scenario=transfer&requests=0", "Accept-Language", "en"),
                400,
                "less than 1");
        assertRejected(
                Command.to(port, "/v1/masters/6396/kill", "Accept-Language", "en"),
                404,
                "The playground did not start a Redis 6396");
    }

    private Answer inEnglish(String method, String path) {
        return Answer.to(method, port, path, "Accept-Language", "en");
    }

    @Test
    void thePageIsServed() {
        Answer page = Answer.to("GET", port, "/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("page/main.js");
    }

    private Answer post(String path) {
        return Command.to(port, path);
    }

    private void assertRefusal(String path, int code, String message) {
        Answer answer = post(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.code()).as(answer.body()).isEqualTo(code);
        assertThat(answer.message()).isEqualTo(message);
        assertThat(answer.json().path("data").isNull()).isTrue();
    }

    private static void assertRejected(Answer answer, int httpStatus, String named) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(httpStatus);
        assertThat(answer.code()).as(answer.body()).isEqualTo(2);
        assertThat(answer.message()).contains(named);
        assertThat(answer.body()).doesNotContain("Exception", "at io.", "at org.");
    }
}
