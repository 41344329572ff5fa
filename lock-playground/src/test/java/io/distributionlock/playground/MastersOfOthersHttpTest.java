package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The playground did not start what runs on the masters' ports: two Redis servers and another program. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "playground.instance=test",
            "playground.work.time=0",
            "playground.order.work-time=0",
            "playground.data-directory=target/data/masters-of-others",
            "spring.datasource.url=jdbc:h2:mem:masters-http;DB_CLOSE_DELAY=-1"
        })
@DirtiesContext
@Tag("long")
class MastersOfOthersHttpTest {

    private static final Duration GENEROUS = Duration.ofSeconds(60);
    private static final TestRedis ONE = TestRedis.start();
    private static final TestRedis TWO = TestRedis.start();
    private static final ServerSocket MUTE = mute();

    @DynamicPropertySource
    static void useWhatIsThere(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.host", () -> "127.0.0.1");
        properties.add("spring.data.redis.port", ONE::port);
        properties.add(
                "distribution-lock.quorum.nodes",
                () -> "redis://127.0.0.1:" + ONE.port() + ",redis://127.0.0.1:" + TWO.port() + ",redis://127.0.0.1:"
                        + MUTE.getLocalPort());
    }

    @AfterAll
    static void endAll() throws IOException {
        ONE.close();
        TWO.close();
        MUTE.close();
    }

    @LocalServerPort
    private int port;

    @Test
    void aServerThatThePlaygroundDidNotStartIsNotKilled() {
        for (int theirs : new int[] {ONE.port(), TWO.port(), MUTE.getLocalPort()}) {
            Answer answer = Command.to(port, "/v1/masters/" + theirs + "/kill");

            assertThat(answer.status()).as(answer.body()).isEqualTo(409);
            assertThat(answer.code()).isEqualTo(2);
            assertThat(answer.message()).contains("不是由示例启动的");
        }
        // A server that pauses for a moment counts as down.
        await().atMost(GENEROUS)
                .untilAsserted(() -> assertThat(Answer.to("GET", port, "/v1/masters")
                                .json()
                                .path("data")
                                .findValuesAsString("up"))
                        .containsExactly("true", "true", "false"));
    }

    @Test
    void twoServersAreEnoughIfTheThirdPortIsTaken() {
        await().atMost(GENEROUS)
                .until(() -> Answer.toUpdate(port, "A1004", 1, 3).isDone());
        await().atMost(GENEROUS)
                .until(() ->
                        Answer.to("POST", port, "/v1/orders/A1001/invoices").isDone());
    }

    private static ServerSocket mute() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
