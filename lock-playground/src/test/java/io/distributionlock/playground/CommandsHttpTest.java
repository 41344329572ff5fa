package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Only the page of the playground, opened on this machine, starts and kills anything. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "playground.instance=test",
            "playground.allowed-hosts=other.example, Orders.example",
            "playground.work.time=0",
            // So long that no pause of the machine ends a term.
            "distribution-lock.leader.lease-time=60s",
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "spring.datasource.url=jdbc:h2:mem:commands-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class CommandsHttpTest {

    private static final String PAGE = "X-Playground-Page: yes";
    private static final List<String> COMMANDS = List.of(
            "/v1/instances",
            "/v1/instances/second/kill",
            "/v1/instances/leader/step-down",
            "/v1/freezes",
            "/v1/masters/6396/kill",
            "/v1/masters/6396/start",
            "/v1/redis/kill",
            "/v1/redis/start",
            "/v1/bursts?scenario=default-address&requests=3");

    /** What a visitor of a scenario may send, as any client of an application may. */
    private static final Set<String> OPEN = Set.of(
            "/v1/test/updateOrderStatus",
            "/v1/flash-sales/{item}/orders",
            "/v1/queues/{queue}/tickets",
            "/v1/catalogue/{item}",
            "/v1/job-runs",
            "/v1/addresses",
            "/v1/transfers",
            "/v1/suppliers/{supplier}/imports",
            "/v1/last-items/{item}/sales",
            "/v1/orders/{orderCode}/invoices");

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Accept: */*",
                PAGE + "\r\nHost: evil.example",
                PAGE + "\r\nHost: localhost.evil.example",
                PAGE + "\r\nHost: evil.example\r\nOrigin: http://evil.example",
                PAGE + "\r\nOrigin: http://evil.example",
                PAGE + "\r\nOrigin: http://localhost:3000",
                PAGE + "\r\nOrigin: null",
                "Origin: http://localhost",
            })
    void nothingElseIsObeyed(String headers) throws IOException {
        long term = LeaderTerm.awaitAfter(port, 0);

        for (String command : COMMANDS) {
            Answer answer = RawRequest.send(port, "POST", "/api" + command, headers.split("\r\n"));
            assertThat(answer.status()).as(command).isEqualTo(403);
            assertThat(answer.code()).isEqualTo(2);
            assertThat(answer.message()).containsPattern("X-Playground-Page|playground[.]allowed-hosts");
        }

        assertThat(Answer.to("GET", port, "/v1/instances/second").body()).contains("\"phase\":\"NONE\"");
        assertThat(Answer.to("GET", port, "/v1/timeline").body()).doesNotContain("/v1/addresses");
        assertThat(LeaderTerm.awaitAfter(port, 0)).as("term of the leader").isEqualTo(term);
    }

    /** A browser sends these without asking first, as it does a form. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://evil.example",
                "Origin: http://localhost:3000",
                "Origin: null",
                "Host: evil.example\r\nOrigin: http://evil.example",
            })
    void anotherPageChangesNothing(String headers) throws IOException {
        for (String request : List.of(
                "/v1/queues/museum/tickets?visitor=Eve",
                "/v1/transfers?from=alice&to=bob&amount=100",
                "/v1/job-runs?turn=noon")) {
            Answer answer = RawRequest.send(port, "POST", "/api" + request, headers.split("\r\n"));
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
        }
        Answer order = RawRequest.send(
                port, "PUT", "/api/v1/test/updateOrderStatus?orderCode=A1001&userId=1&status=2", headers.split("\r\n"));
        assertThat(order.status()).as(order.body()).isEqualTo(403);

        assertThat(Answer.to("GET", port, "/v1/queues/museum/tickets").body()).contains("\"data\":[]");
    }

    /** A page of another site, whose name leads to this machine, is of the same origin for the browser: it sends no "Origin" to read. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example"})
    void anotherHostNameReachesNothing(String host) throws IOException {
        for (String request : List.of(
                "GET /api/",
                "GET /api/index.html",
                "GET /api/v1/test/listOrders",
                "GET /api/v1/timeline",
                "POST /api/v1/transfers?from=alice&to=bob&amount=100",
                "GET /api/actuator/health")) {
            String[] parts = request.split(" ");
            Answer answer = RawRequest.send(port, parts[0], parts[1], "Host: " + host);
            assertThat(answer.status()).as(request).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "127.0.0.1",
                "127.0.0.1:1",
                "[::1]",
                "[::1]:8080",
                "orders.example"
            })
    void theNamesOfThisMachineAndAllowedOnesReachIt(String host) throws IOException {
        assertThat(RawRequest.send(port, "GET", "/api/v1/timeline", "Host: " + host)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void thePageMayUseTheScenarios() {
        String page = "http://localhost:" + port;

        assertThat(Answer.to("POST", port, "/v1/flash-sales/tea/orders?userId=1", "Origin", page))
                .matches(Answer::isDone, "done");
    }

    /** Otherwise another page could lay this one, invisible, over what its visitors click. */
    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/v1/instances"})
    void noOtherPageShowsThisOneInAFrame(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api" + path))
                .build();
        HttpResponse<Void> answer = HttpClient.newHttpClient().send(request, BodyHandlers.discarding());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("X-Frame-Options")).hasValue("DENY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "127.0.0.1", "[::1]"})
    void thePageIsObeyedUnderEveryAddressOfThisMachine(String host) throws IOException {
        for (String address : List.of(host, host + ":8080")) {
            String command = "/api/v1/instances/second/kill";
            Answer answer =
                    RawRequest.send(port, "POST", command, PAGE, "Host: " + address, "Origin: http://" + address);
            assertThat(answer.status()).as(answer.body()).isEqualTo(409);
        }
    }

    /** A browser asks first whether another page may send the header, and does not send it without a permission. */
    @Test
    void anotherPageIsNotAllowedToSendTheHeader() throws Exception {
        HttpRequest question = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/instances"))
                .method("OPTIONS", BodyPublishers.noBody())
                .header("Origin", "http://evil.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "x-playground-page")
                .build();
        HttpResponse<Void> answer = HttpClient.newHttpClient().send(question, BodyHandlers.discarding());

        assertThat(answer.headers().map().keySet())
                .isNotEmpty()
                .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control-allow"));
    }

    @Test
    void whatReadsIsOpen() {
        for (String path :
                List.of("/v1/instances", "/v1/instances/second", "/v1/masters", "/v1/redis", "/v1/scenarios")) {
            assertThat(Answer.to("GET", port, path)).matches(Answer::isDone, "done");
        }
    }

    @Test
    void aRedisThatThePlaygroundDidNotStartIsNotKilled() {
        Answer answer = Command.to(port, "/v1/redis/kill");

        assertThat(answer.status()).as(answer.body()).isEqualTo(409);
        // A server that pauses for a moment counts as down.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(Answer.to("GET", port, "/v1/redis").body())
                                .contains("\"up\":true", "\"ours\":false", "\"where\":\"127.0.0.1:"));
    }

    @Test
    void everyOtherMappingThatChangesSomethingIsAScenario(@Autowired RequestMappingHandlerMapping mappings) {
        List<String> changing = mappings.getHandlerMethods().keySet().stream()
                .filter(mapping -> !mapping.getMethodsCondition().getMethods().equals(Set.of(RequestMethod.GET)))
                .flatMap(mapping -> mapping.getPatternValues().stream())
                .filter(path -> !OPEN.contains(path))
                .toList();

        assertThat(changing)
                .hasSizeGreaterThan(4)
                .allSatisfy(path -> assertThat(Answer.to("POST", port, path.replace("{port}", "6396"))
                                .status())
                        .as(path)
                        .isEqualTo(403));
    }

    @Test
    void nobodyElseInTheNetworkReachesThePage() throws IOException {
        Network.assertNotReachable(port);
    }
}
