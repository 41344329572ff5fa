package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The scenarios on two processes with one Redis and one database, under bursts of requests over HTTP. */
@Tag("long")
class ScenariosIT {

    /** The locks that many requests wait for: almost as long as an HTTP answer may take. */
    private static final List<String> WAITED_FOR =
            List.of("flashSale", "userAddress", "queue", "catalogue", "account:#{#from}", "account:#{#to}");

    private static Backends backends;
    private static Instance first;
    private static Instance second;

    @BeforeAll
    static void startTwo() {
        backends = new Backends();
        first = start("first");
        second = start("second");
        first.warmUp();
        second.warmUp();
    }

    @AfterAll
    static void endEverything() {
        first.close();
        second.close();
        backends.close();
    }

    @Test
    void theInstancesKnowEachOtherAndShowEachOthersWork() {
        String path = "/v1/suppliers/shown/imports";
        assertThat(Answer.to("POST", second.port(), path, "X-Playground-Run", "shown"))
                .matches(Answer::isDone, "done");

        await().atMost(Duration.ofSeconds(30))
                .until(() -> Answer.to("GET", first.port(), "/v1/instances")
                        .json()
                        .path("data")
                        .findValuesAsString("name")
                        .containsAll(List.of("first", "second")));
        // The answer is sent a moment before it is recorded.
        JsonNode visits = await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> Answer.to("GET", first.port(), "/v1/timeline?instance=second&run=shown")
                                .json()
                                .path("data")
                                .path("visits"),
                        all -> all.path(0).path("answered").isNumber());
        assertThat(visits).hasSize(1);
        JsonNode visit = visits.get(0);
        assertThat(visit.path("request").asText()).isEqualTo("POST " + path);
        assertThat(visit.path("code").asInt()).isZero();
        JsonNode section = visit.path("sections").get(0);
        assertThat(section.path("name").asText()).isEqualTo("import");
        assertThat(section.path("locks").get(0).path("name").asText()).isEqualTo("stockImport:shown");
        assertThat(List.of(
                        visit.path("asked").asLong(),
                        section.path("entered").asLong(),
                        section.path("left").asLong(),
                        visit.path("answered").asLong()))
                .isSorted();
    }

    /** What the requests of both instances leave in the database is counted. */
    @ParameterizedTest
    @CsvSource({
        "flash-sale, 600",
        "default-address, 600",
        "scheduled-job, 600",
        "transfer, 600",
        "catalogue, 600",
        "order-status, 600",
        "fair-queue, 48"
    })
    void aBurstGoesToBothInstancesAndItsFactsHold(String scenario, int requests) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Answer.to("GET", second.port(), "/v1/instances")
                                .json()
                                .path("data")
                                .size()
                        == 2);
        String run = Command.to(second.port(), "/v1/bursts?scenario=" + scenario + "&requests=" + requests)
                .json()
                .path("data")
                .path("run")
                .asText();

        JsonNode burst = await().atMost(Duration.ofMinutes(3))
                .until(
                        () -> Answer.to("GET", second.port(), "/v1/bursts/" + run)
                                .json()
                                .path("data"),
                        state -> state.path("finished").asBoolean());
        assertThat(burst.path("answers").path("0").asInt()).as(burst.toString()).isPositive();
        assertThat(burst.path("answers").has("3")).as("unavailable: %s", burst).isFalse();
        assertThat(burst.path("failed").asInt()).isZero();
        assertThat(burst.path("facts"))
                .isNotEmpty()
                .allMatch(fact -> fact.path("holds").asBoolean(), "holds");
        for (Instance instance : List.of(first, second)) {
            String path = "/v1/timeline?run=" + run + "&instance=" + instance.name();
            assertThat(Answer.to("GET", second.port(), path).json().path("data").path("visits"))
                    .hasSize(requests / 2);
        }
    }

    private static Instance start(String name) {
        List<String> properties = new ArrayList<>(List.of(
                "playground.order.work-time=10ms",
                "playground.work.time=1ms",
                // Until the last request of a burst has arrived.
                "distribution-lock.locks.[report:#{#turn}].min-hold-time=60s",
                Patience.WITH_ORDERS));
        WAITED_FOR.forEach(key -> properties.add("distribution-lock.locks.[" + key + "].try-lock-time=45s"));
        return backends.start(name, properties);
    }
}
