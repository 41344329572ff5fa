package io.distributionlock.sample.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.distributionlock.sample.Answer;
import io.distributionlock.sample.OwnRedis;
import io.distributionlock.sample.Patience;
import io.distributionlock.sample.showcase.burst.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ContextConfiguration;

/** What a burst reports while it runs, and how it ends when something fails. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "sample.instance=test",
            "sample.work.time=300ms",
            "sample.order.work-time=2s",
            "distribution-lock.locks.userAddress.try-lock-time=0",
            "distribution-lock.locks.cart.try-lock-time=0",
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "spring.datasource.url=jdbc:h2:mem:burst-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class BurstHttpTest {

    private static final Duration GENEROUS = Duration.ofSeconds(60);
    private static final List<String> FORGOTTEN = new CopyOnWriteArrayList<>();

    @LocalServerPort
    private int port;

    @BeforeEach
    void warmUp() {
        await().atMost(GENEROUS)
                .until(() -> Answer.to("GET", port, "/v1/catalogue/tea").isDone());
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

    @Test
    void aBurstThatCannotBePreparedEndsAndLeavesNoData() {
        JsonNode burst = burst("unprepared", 5, true);

        assertThat(burst.path("answers")).isEmpty();
        assertThat(burst.path("failed").asInt()).isEqualTo(5);
        assertThat(burst.path("facts").isNull()).isTrue();
        assertThat(FORGOTTEN).containsOnlyOnce(burst.path("run").asText());
        assertThat(burst("default-address", 1, true).path("failed").asInt())
                .as("what failed of the next one")
                .isZero();
    }

    @Test
    void aBurstWhoseResultCannotBeReadReportsIt() {
        JsonNode burst = burst("unreadable", 5, true);

        assertThat(burst.path("answers").path("0").asInt()).isEqualTo(5);
        assertThat(burst.path("failed").asInt()).isZero();
        assertThat(burst.path("facts").isNull()).isTrue();
        assertThat(FORGOTTEN).containsOnlyOnce(burst.path("run").asText());
    }

    @Test
    void withoutTheLockAllWorkAtOnceAndNoneWaitsForTheDatabase() {
        JsonNode burst = burst("order-status", 60, false);

        assertThat(burst.path("failed").asInt()).isZero();
        assertThat(burst.path("answers").path("0").asInt()).isPositive();
        assertThat(burst.path("answers").has("3"))
                .as("some to whom the database was unavailable: %s", burst)
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"fair-queue, queue", "three-masters, invoice"})
    void whatIsWaitedForIsNamedAndCounted(String scenario, String key) {
        Answer begun = begin(scenario, 12, true);
        String run = begun.json().path("data").path("run").asText();

        JsonNode waiting = await().atMost(GENEROUS)
                .until(
                        () -> Answer.to("GET", port, "/v1/timeline/open")
                                .json()
                                .path("data")
                                .path("waiting"),
                        locks -> locks.path(0).path("waiting").asInt() > 2);
        assertThat(waiting.findValuesAsText("name")).containsExactly(key + ":" + run);
        ended(begun);
        assertThat(Answer.to("GET", port, "/v1/timeline/open")
                        .json()
                        .path("data")
                        .path("waiting"))
                .isEmpty();
    }

    /** The result of a burst, after it has ended. */
    private JsonNode burst(String scenario, int requests, boolean locked) {
        return ended(begin(scenario, requests, locked));
    }

    private Answer begin(String scenario, int requests, boolean locked) {
        String path = "/v1/bursts?scenario=" + scenario + "&requests=" + requests + "&locked=" + locked;
        Answer begun = Answer.to("POST", port, path);
        assertThat(begun).matches(Answer::isDone, "done");
        return begun;
    }

    private JsonNode ended(Answer begun) {
        return await().atMost(GENEROUS)
                .until(() -> state(begun), state -> state.path("finished").asBoolean());
    }

    private JsonNode state(Answer begun) {
        String run = begun.json().path("data").path("run").asText();
        return Answer.to("GET", port, "/v1/bursts/" + run).json().path("data");
    }

    @TestConfiguration
    static class Failing {

        @Bean
        Scenario unprepared() {
            return new FailingScenario("unprepared", true);
        }

        @Bean
        Scenario unreadable() {
            return new FailingScenario("unreadable", false);
        }
    }

    /** Requests the orders; its result cannot be read. */
    private record FailingScenario(String name, boolean failsToPrepare) implements Scenario {

        @Override
        public int requests() {
            return 1;
        }

        @Override
        public void prepare(String run, int requests) {
            if (failsToPrepare) {
                throw new IllegalStateException("cannot prepare " + run);
            }
        }

        @Override
        public Call call(String run, int number, boolean locked) {
            return new Call("GET", "/test/orders");
        }

        @Override
        public List<Fact> facts(String run, int requests, int done) {
            throw new IllegalStateException("cannot read " + run);
        }

        @Override
        public void forget(String run) {
            FORGOTTEN.add(run);
        }
    }
}
