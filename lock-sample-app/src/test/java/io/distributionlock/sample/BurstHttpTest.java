package io.distributionlock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ContextConfiguration;

/** What a burst ends with when not all of its requests are done. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "sample.instance=test",
            "sample.job.cron=-",
            "sample.work.time=300ms",
            "sample.order.work-time=0",
            "distribution-lock.locks.userAddress.try-lock-time=0",
            "distribution-lock.locks.cart.try-lock-time=0",
            "distribution-lock.executors.masters.type=local",
            "spring.datasource.url=jdbc:h2:mem:burst-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class BurstHttpTest {

    private static final Duration GENEROUS = Duration.ofSeconds(60);

    @LocalServerPort
    private int port;

    @BeforeEach
    void warmUp() {
        await().atMost(GENEROUS)
                .until(() -> Answer.toUpdate(port, "A1004", 1, 3).isDone());
    }

    @ParameterizedTest
    @CsvSource({"default-address, addresses", "re-entry, checkouts"})
    void whoIsToldBusyIsNotExpectedToHaveDoneAnything(String scenario, String fact) {
        JsonNode burst = burst(scenario, 12, true);

        int done = burst.path("answers").path("0").asInt();
        assertThat(done).isPositive();
        assertThat(burst.path("answers").path("1").asInt()).isPositive().isEqualTo(12 - done);
        JsonNode counted = burst.path("facts").get(0);
        assertThat(counted.path("name").asText()).isEqualTo(fact);
        assertThat(counted.path("expected").asInt()).isEqualTo(done);
        assertThat(burst.path("facts")).allMatch(each -> each.path("holds").asBoolean(), "holds");
    }

    /** What has become of a burst, when it has ended. */
    private JsonNode burst(String scenario, int requests, boolean locked) {
        String path = "/v1/bursts?scenario=" + scenario + "&requests=" + requests + "&locked=" + locked;
        Answer begun = Answer.to("POST", port, path);
        assertThat(begun).matches(Answer::isDone, "done");
        return await().atMost(GENEROUS)
                .until(() -> state(begun), state -> state.path("finished").asBoolean());
    }

    private JsonNode state(Answer begun) {
        String run = begun.json().path("data").path("run").asText();
        return Answer.to("GET", port, "/v1/bursts/" + run).json().path("data");
    }
}
