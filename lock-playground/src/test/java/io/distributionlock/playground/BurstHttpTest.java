package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.Lease;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockTemplateCustomizer;
import io.distributionlock.playground.burst.Scenario;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;
import tools.jackson.databind.JsonNode;

/** What a burst reports while it runs, and how it ends when something fails. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "playground.instance=test",
            "playground.work.time=300ms",
            "playground.order.work-time=2s",
            "distribution-lock.locks.userAddress.try-lock-time=0",
            "distribution-lock.locks.catalogue.try-lock-time=45s",
            Patience.WITH_REDIS,
            Patience.WITH_CLIENT,
            "spring.datasource.url=jdbc:h2:mem:burst-http;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
@Tag("long")
class BurstHttpTest {

    private static final Duration GENEROUS = Duration.ofSeconds(60);

    @LocalServerPort
    private int port;

    @Autowired
    private JdbcClient database;

    @BeforeEach
    void warmUp() {
        await().atMost(GENEROUS)
                .until(() -> Answer.to("GET", port, "/v1/catalogue/tea").isDone());
    }

    /** Of a few readers, all may happen to read before the only writer: so there are more of both. */
    @ParameterizedTest
    @CsvSource({
        "flash-sale, 6",
        "scheduled-job, 6",
        "default-address, 6",
        "fair-queue, 6",
        "order-status, 6",
        "catalogue, 30",
        "transfer, 6",
        "three-masters, 6"
    })
    void withTheLockEveryFactHoldsAndWithoutItTheMistakeIsSeen(String scenario, int requests) {
        JsonNode locked = burst(scenario, requests, true);
        assertThat(locked.path("failed").asInt()).isZero();
        assertThat(locked.path("facts"))
                .isNotEmpty()
                .allMatch(each -> each.path("holds").asBoolean(), "holds");

        JsonNode unlocked = burst(scenario, requests, false);
        assertThat(unlocked.path("failed").asInt()).isZero();
        assertThat(unlocked.path("answers").has("1")).as("busy: %s", unlocked).isFalse();
        assertThat(unlocked.path("facts")).anyMatch(each -> !each.path("holds").asBoolean(), "is wrong");
    }

    @ParameterizedTest
    @CsvSource({"default-address, addresses", "order-status, changes"})
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
    void onlyOneBurstRunsAtATime(@Autowired LockTemplate locks) {
        Answer one;
        try (Lease held = locks.acquire("catalogue:tea")) {
            one = begin("waiting", 1, true);
            Answer two = Command.to(port, "/v1/bursts?scenario=transfer&requests=1");
            assertThat(held.isValid()).isTrue();
            assertThat(two.status()).as(two.body()).isEqualTo(423);
            assertThat(two.message()).containsPattern("已执行 \\d+ 秒");
        }
        assertThat(ended(one).path("answers").path("0").asInt()).isEqualTo(1);
    }

    @Test
    void aBurstThatCannotBePreparedEndsAndLeavesNoData() {
        JsonNode burst = burst("unprepared", 5, true);

        assertThat(burst.path("answers")).isEmpty();
        assertThat(burst.path("failed").asInt()).isEqualTo(5);
        assertThat(burst.path("failures")).as("why").hasSize(1).allMatch(count -> count.asInt() == 5, "all of them");
        assertThat(burst.path("facts").isNull()).isTrue();
        assertForgottenOnce(burst);
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
        assertForgottenOnce(burst);
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
        assertThat(waiting.findValuesAsString("name")).containsExactly(key + ":" + run);
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
        Answer begun = Command.to(port, path);
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

    private void assertForgottenOnce(JsonNode burst) {
        assertThat(database.sql("SELECT COUNT(*) FROM job_runs WHERE instance = 'forgotten' AND turn = ?")
                        .param(burst.path("run").asText())
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @TestConfiguration
    static class BusyMachine {

        @Bean
        LockTemplateCustomizer heldUpOnTheWay() {
            return template -> template.decorate(HeldUp::new);
        }
    }

    /** Every third visitor of a queue is held up between his arrival and the lock. */
    private static final class HeldUp extends DelegatingLockExecutor {

        private final AtomicInteger visitors = new AtomicInteger();

        private HeldUp(LockExecutor delegate) {
            super(delegate);
        }

        @Override
        public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
            if (request.name().startsWith("queue:") && visitors.getAndIncrement() % 3 == 0) {
                try {
                    Thread.sleep(500);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.acquire(request, owner);
        }
    }

    @TestConfiguration
    static class MoreScenarios {

        @Bean
        Scenario heldUp() {
            return Scenario.of("waiting", 1, number -> "GET /catalogue/tea");
        }

        @Bean
        Scenario unprepared() {
            return failing("unprepared").prepare("INSERT INTO nowhere (run) VALUES (:run)");
        }

        @Bean
        Scenario unreadable() {
            return failing("unreadable").fact("none", (requests, done) -> 0, "SELECT COUNT(*) FROM nowhere");
        }

        /** Requests the orders, and leaves a row when its data is forgotten. */
        private static Scenario failing(String name) {
            return Scenario.of(name, 1, number -> "GET /test/orders")
                    .clean("INSERT INTO job_runs (turn, instance) VALUES (:run, 'forgotten')");
        }
    }
}
