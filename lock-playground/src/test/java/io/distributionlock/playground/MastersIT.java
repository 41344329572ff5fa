package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.playground.TestDatabase.WorkLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes with a lock on three Redis servers, which are killed while they work. */
@Tag("long")
class MastersIT {

    private static final Duration GENEROUS = Duration.ofSeconds(60);

    /** As in application.yml. */
    private static final Duration RESTART_DELAY = Duration.ofSeconds(5);

    private static final int REQUESTS = 60;

    private static Backends backends;
    private static TestMasters masters;
    private static Instance first;
    private static Instance second;

    @BeforeAll
    static void startTwo() throws IOException {
        backends = new Backends();
        masters = TestMasters.atFreePorts();
        Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "data")), "masters-")
                .toAbsolutePath();
        first = start("first", data);
        second = start("second", data);
    }

    @AfterAll
    static void endEverything() {
        try {
            first.stop();
            assertThat(masters.answering())
                    .as("masters that the second one uses")
                    .isEqualTo(3);
            second.stop();
            await().atMost(GENEROUS).until(() -> masters.answering() == 0);
        } finally {
            first.close();
            second.close();
            masters.endThoseLeft();
            backends.close();
        }
    }

    @BeforeEach
    void allServersAndInstancesWork() {
        masters.allCount(first, second);
        for (Instance instance : List.of(first, second)) {
            await().atMost(GENEROUS).until(() -> issue(instance, "warm-up").isDone());
        }
    }

    @Test
    void whileAMasterIsKilledAndComesBackInvoicesAreIssuedOneAtATime() throws Exception {
        CompletableFuture<List<Answer>> burst = burst("one-away");
        awaitWork("one-away", 10);

        masters.kill(first, 1);
        int linesAtTheKill = workOn("one-away").size();
        awaitWork("one-away", linesAtTheKill + 20);
        assertThat(masters.answering()).as("masters during that work").isEqualTo(2);
        masters.start(second, 1);

        List<Answer> answers = burst.get(2, TimeUnit.MINUTES);
        assertThat(answers).allMatch(answer -> answer.isDone() || answer.isBusy());
        assertNumberedOneAtATime(
                "one-away", (int) answers.stream().filter(Answer::isDone).count());
    }

    @Test
    void aMasterThatCameBackVotesWhenAnotherOneFails() throws Exception {
        masters.kill(first, 0);
        masters.allCount(first, second);
        masters.kill(second, 1);

        List<Answer> answers = burst("came-back").get(2, TimeUnit.MINUTES);

        assertThat(answers).allMatch(answer -> answer.isDone() || answer.isBusy());
        assertNumberedOneAtATime(
                "came-back", (int) answers.stream().filter(Answer::isDone).count());
    }

    @Test
    void aMasterThatWasJustStartedDoesNotCountYet() {
        masters.kill(first, 0);
        long started = System.nanoTime();
        masters.start(first, 0);
        masters.kill(first, 1);

        await().atMost(GENEROUS)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> issue(first, "too-early").isDone());

        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .as("from the start of the empty one until a lock could be had with it")
                .isGreaterThan(RESTART_DELAY);
    }

    @Test
    void withTwoMastersDownNothingIsDoneUntilTheyAreBack() {
        await().atMost(GENEROUS).until(() -> issue(first, "two-away").isDone());
        int lines = workOn("two-away").size();
        masters.kill(first, 0);
        masters.kill(first, 2);

        for (Instance instance : List.of(first, second)) {
            Answer answer = issue(instance, "two-away");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo(3);
            assertThat(answer.message()).contains("Redis").contains("业务未执行");
            assertThat(answer.took()).isLessThan(GENEROUS);
            assertThat(instance.update("A1001", 1, 2))
                    .as("what has nothing to do with the masters")
                    .matches(Answer::isDone, "done");
        }
        assertThat(workOn("two-away")).as("work done without the lock").hasSize(lines);

        masters.start(first, 0);
        await().atMost(GENEROUS).until(() -> issue(second, "two-away").isDone());
        assertNumberedOneAtATime("two-away", lines / 2 + 1);
    }

    /**
     * Sends all requests at once: those with even numbers to the first instance, those with odd numbers to the second.
     */
    private static CompletableFuture<List<Answer>> burst(String orderCode) {
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Instance instance = i % 2 == 0 ? first : second;
            calls.add(() -> issue(instance, orderCode));
        }
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Crowd.atOnce(calls);
            } catch (Exception failed) {
                throw new CompletionException(failed);
            }
        });
    }

    private static void awaitWork(String orderCode, int lines) {
        await().atMost(GENEROUS)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> workOn(orderCode).size() >= lines);
    }

    private static void assertNumberedOneAtATime(String orderCode, int issued) {
        List<WorkLine> work = workOn(orderCode);
        WorkLines.assertNeverTwoAtWork(work);
        assertThat(work).hasSize(2 * issued);
        assertThat(backends.database()
                        .client()
                        .sql("SELECT number FROM invoices WHERE order_code = ? ORDER BY seq")
                        .param(orderCode)
                        .query(Integer.class)
                        .list())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, issued).boxed().toList());
    }

    private static List<WorkLine> workOn(String orderCode) {
        return backends.database().workOn("invoice:" + orderCode);
    }

    private static Answer issue(Instance instance, String orderCode) {
        return Answer.to("POST", instance.port(), "/v1/orders/" + orderCode + "/invoices");
    }

    private static Instance start(String name, Path data) {
        List<String> properties = new ArrayList<>(masters.properties());
        properties.addAll(List.of(
                "playground.data-directory=" + data,
                "playground.order.work-time=10ms",
                // Long enough that a burst is still running when a master is killed halfway, even if that is late.
                "playground.work.time=100ms",
                // Waits for a server that pauses for a moment instead of giving it up: there may be no spare one.
                "distribution-lock.quorum.node-timeout=2s",
                "distribution-lock.locks.invoice.try-lock-time=45s",
                Patience.WITH_ORDERS));
        return backends.start(name, properties);
    }
}
