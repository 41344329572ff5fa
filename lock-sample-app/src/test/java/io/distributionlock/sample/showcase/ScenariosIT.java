package io.distributionlock.sample.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.sample.Answer;
import io.distributionlock.sample.Crowd;
import io.distributionlock.sample.Instance;
import io.distributionlock.sample.Patience;
import io.distributionlock.sample.TestDatabase;
import io.distributionlock.sample.TestRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
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

    private static final int EACH = 300;

    /** The locks that many requests wait for: almost as long as an HTTP answer may take. */
    private static final List<String> WAITED_FOR =
            List.of("flashSale", "userAddress", "queue", "catalogue", "account:#{#from}", "account:#{#to}");

    private static TestRedis redis;
    private static TestDatabase database;
    private static Instance first;
    private static Instance second;

    @BeforeAll
    static void startTwo() {
        redis = TestRedis.start();
        database = TestDatabase.start();
        first = start("first");
        second = start("second");
        first.warmUp();
        second.warmUp();
    }

    @AfterAll
    static void endEverything() {
        first.close();
        second.close();
        database.close();
        redis.close();
    }

    @Test
    void aFlashSaleSellsEveryItemOnceAndNobodyGetsTwo() throws Exception {
        List<Answer> answers = burst(number -> "/v1/flash-sales/tea/orders?userId=" + (number / 2 + 1));

        assertThat(countsByCode(answers)).as("codes").containsEntry(0, 100L);
        assertThat(answers).extracting(Answer::code).isSubsetOf(0, 1, 13, 14);
        assertThat(database.client()
                        .sql("SELECT user_id FROM flash_sale_orders WHERE item = 'tea'")
                        .query(Integer.class)
                        .list())
                .hasSize(100)
                .doesNotHaveDuplicates();
        assertThat(number("SELECT stock FROM flash_sales WHERE item = 'tea'")).isZero();
    }

    @Test
    void exactlyOneOfManyFirstAddressesBecomesTheDefault() throws Exception {
        List<Answer> answers = burst(number -> "/v1/addresses?userId=7&street=" + number);

        assertThat(answers)
                .filteredOn(answer -> answer.json().path("data").asBoolean())
                .hasSize(1);
        assertThat(number("SELECT COUNT(*) FROM addresses WHERE user_id = 7")).isEqualTo(countDone(answers));
        assertThat(number("SELECT COUNT(*) FROM addresses WHERE user_id = 7 AND is_default"))
                .isEqualTo(1);
    }

    @Test
    void aDueJobRunsOncePerTurnAndSkipsNoTurn() {
        int before = number("SELECT COUNT(*) FROM job_runs");
        await().atMost(Duration.ofSeconds(60)).until(() -> number("SELECT COUNT(*) FROM job_runs") >= before + 3);

        List<String> turns = database.client()
                .sql("SELECT turn FROM job_runs WHERE LENGTH(turn) = 20 ORDER BY seq")
                .query(String.class)
                .list();
        assertThat(turns).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void aTurnThatManyRequestsTriggerRunsOnce() throws Exception {
        List<Answer> answers = burst(number -> "/v1/job-runs?turn=everybody");

        assertThat(answers).filteredOn(Answer::isDone).hasSize(1);
        assertThat(answers).filteredOn(Answer::isBusy).hasSize(2 * EACH - 1);
        assertThat(number("SELECT COUNT(*) FROM job_runs WHERE turn = 'everybody'"))
                .isEqualTo(1);
    }

    @Test
    void transfersInAllDirectionsNeitherDeadlockNorLoseMoney() throws Exception {
        List<String> names = List.of("alice", "bob", "carol");
        List<Answer> answers = burst(number -> {
            String from = names.get(number % 3);
            String to = names.get((number + 1 + number / 3 % 2) % 3);
            return "/v1/transfers?from=" + from + "&to=" + to + "&amount=" + (number + 1);
        });

        assertThat(countDone(answers)).isPositive();
        assertThat(number("SELECT SUM(balance) FROM accounts WHERE account IN ('alice', 'bob', 'carol')"))
                .isEqualTo(300_000);
    }

    @Test
    void aFairQueueGivesOutPlacesInTheOrderOfArrivalAcrossInstances() throws Exception {
        String queue = "/v1/queues/museum/tickets";
        ExecutorService visitors = Executors.newCachedThreadPool();
        List<Future<Answer>> answers = new ArrayList<>();
        try (ForeignHolder closed = ForeignHolder.of(redis, "queue:museum")) {
            for (int i = 1; i <= 12; i++) {
                Instance instance = i % 2 == 0 ? first : second;
                String path = queue + "?visitor=" + i;
                answers.add(visitors.submit(() -> Answer.to("POST", instance.port(), path)));
                int waiting = i;
                await().atMost(Duration.ofSeconds(30)).until(() -> closed.waiting() == waiting);
            }
        }
        List<Integer> codes = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            codes.add(answer.get(60, TimeUnit.SECONDS).code());
        }
        visitors.shutdown();

        assertThat(codes).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 21, 21);
        assertThat(Answer.to("GET", first.port(), queue).json().path("data").findValuesAsString("visitor"))
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
    }

    @Test
    void readersNeverSeeAHalfWrittenPrice() throws Exception {
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            Instance instance = i % 2 == 0 ? first : second;
            boolean writes = i % 20 == 3;
            String path = "/v1/catalogue/tea" + (writes ? "?net=" + 5 * (i + 1) : "");
            calls.add(() -> Answer.to(writes ? "PUT" : "GET", instance.port(), path));
        }
        List<Answer> answers = Crowd.atOnce(calls);

        assertThat(countDone(answers)).isPositive();
        assertThat(answers).filteredOn(Answer::isDone).allSatisfy(answer -> {
            JsonNode price = answer.json().path("data");
            long net = price.path("net").asLong();
            assertThat(price.path("gross").asLong()).isEqualTo(net + net / 5);
        });
        assertThat(number("SELECT torn_reads FROM catalogue WHERE item = 'tea'"))
                .isZero();
    }

    @Test
    void theInstancesKnowEachOtherAndShowEachOthersWork() {
        String path = "/v1/suppliers/shown/imports";
        assertThat(Answer.to("POST", second.port(), path, "X-Sample-Run", "shown"))
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

    @ParameterizedTest
    @CsvSource({"flash-sale, 60, 20, 2", "fair-queue, 24, 16, 3"})
    void aBurstGoesToBothInstancesAndItsFactsAreRead(String scenario, int requests, int done, int facts) {
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

        JsonNode burst = await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> Answer.to("GET", second.port(), "/v1/bursts/" + run)
                                .json()
                                .path("data"),
                        state -> state.path("finished").asBoolean());
        assertThat(burst.path("answers").path("0").asInt()).isEqualTo(done);
        assertThat(burst.path("failed").asInt()).isZero();
        assertThat(burst.path("facts"))
                .hasSize(facts)
                .allMatch(fact -> fact.path("holds").asBoolean(), "holds");
        for (Instance instance : List.of(first, second)) {
            String path = "/v1/timeline?run=" + run + "&instance=" + instance.name();
            assertThat(Answer.to("GET", second.port(), path).json().path("data").path("visits"))
                    .hasSize(requests / 2);
        }
    }

    /**
     * Sends all requests at once: those with even numbers to the first instance, those with odd numbers to the second.
     */
    private static List<Answer> burst(Function<Integer, String> path) throws Exception {
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * EACH; i++) {
            Instance instance = i % 2 == 0 ? first : second;
            String each = path.apply(i);
            calls.add(() -> Answer.to("POST", instance.port(), each));
        }
        return Crowd.atOnce(calls);
    }

    /** How many requests succeeded; on a very busy machine, some may be answered busy. */
    private static int countDone(List<Answer> answers) {
        assertThat(answers).allMatch(answer -> answer.isDone() || answer.isBusy());
        int done = (int) answers.stream().filter(Answer::isDone).count();
        assertThat(done).isGreaterThan(answers.size() / 10);
        return done;
    }

    private static Map<Integer, Long> countsByCode(List<Answer> answers) {
        return answers.stream().collect(Collectors.groupingBy(Answer::code, Collectors.counting()));
    }

    private static int number(String query) {
        return database.client().sql(query).query(Integer.class).single();
    }

    private static Instance start(String name) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "spring.datasource.url=" + database.url(),
                "sample.order.work-time=10ms",
                "sample.work.time=1ms",
                // A turn is named after the second in which it runs. Even a late turn must not get the name of the next
                // one.
                "sample.job.cron=*/5 * * * * *",
                "sample.job.min-hold=3s",
                // Until the last request of a burst has arrived.
                "distribution-lock.locks.[report:#{#turn}].min-hold-time=60s",
                Patience.WITH_ORDERS,
                Patience.WITH_REDIS,
                Patience.WITH_CLIENT));
        WAITED_FOR.forEach(key -> properties.add("distribution-lock.locks.[" + key + "].try-lock-time=45s"));
        return Instance.start(name, properties.toArray(String[]::new));
    }
}
