package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.playground.TestDatabase.WorkLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two processes with one Redis and one database that belong to the test; each test has orders of its own. */
@Tag("long")
class TwoInstancesIT {

    /** Longer than the annotation's second, so that waiters learn of the holder in time even on a busy machine. */
    private static final Duration TRY_LOCK_TIME = Duration.ofSeconds(3);

    /** Of a holder that is killed. Even the rest of it is longer than three waits for the lock. */
    private static final Duration HOLD_TIME = Duration.ofSeconds(20);

    private static final Duration GENEROUS = Duration.ofSeconds(60);
    private static final int BURSTS = 3;

    private static Backends backends;
    private static Instance first;
    private static Instance second;

    @BeforeAll
    static void startTwo() {
        backends = new Backends();
        first = start("first", "2s");
        second = start("second", "2s");
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
    void neverTwoAtWorkOnOneOrderAndTheOthersAreAnsweredBusy() throws Exception {
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int user = 1; user <= 12; user++) {
            int userId = user;
            calls.add(() -> first.update("A1001", userId, 2));
            calls.add(() -> second.update("A1001", userId, 3));
        }
        List<Answer> latest = Crowd.atOnce(calls);
        List<Answer> answers = new ArrayList<>(latest);
        // A request whose waiting time ends while Redis pauses gets "unavailable" instead of "busy". The assertions
        // cover all bursts.
        for (int burst = 2; burst <= BURSTS && latest.stream().anyMatch(Answer::isUnavailable); burst++) {
            latest = Crowd.atOnce(calls);
            answers.addAll(latest);
        }

        assertThat(latest).as("answers of the latest burst").noneMatch(Answer::isUnavailable);
        List<Answer> done = answers.stream().filter(Answer::isDone).toList();
        List<Answer> busy = answers.stream().filter(Answer::isBusy).toList();
        assertThat(done)
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(answer.message()).isEqualTo("修改订单状态成功"));
        assertThat(busy).isNotEmpty().allSatisfy(answer -> {
            assertThat(answer.message()).isEqualTo("业务处理繁忙，请稍后重试");
            assertThat(answer.took()).isBetween(TRY_LOCK_TIME.minusMillis(100), TRY_LOCK_TIME.plus(GENEROUS));
        });
        assertThat(answers).allMatch(answer -> answer.isDone() || answer.isBusy() || answer.isUnavailable());

        List<WorkLine> work = backends.database().workOn("A1001");
        WorkLines.assertNeverTwoAtWork(work);
        assertThat(work).hasSize(2 * done.size());
    }

    @Test
    void differentOrdersChangeInParallel() throws Exception {
        List<Answer> answers =
                Crowd.atOnce(List.of(() -> first.update("A1002", 2, 2), () -> second.update("A1004", 4, 2)));

        assertThat(answers).allMatch(Answer::isDone);
        assertThat(mostAtWork(backends.database().work().stream()
                        .filter(line -> List.of("A1002", "A1004").contains(line.orderCode()))
                        .toList()))
                .as("orders at work at the same time")
                .isGreaterThan(1);
    }

    @Test
    void afterTheHolderIsKilledTheOrderIsFreeWhenTheHoldTimeIsOverAndNotBefore() {
        try (Instance holder = start("holder", "10m")) {
            holder.port();
            CompletableFuture<Answer> neverAnswered = startWork(holder, "A1003");

            long killed = System.nanoTime();
            holder.kill();
            assertThat(neverAnswered).failsWithin(GENEROUS);

            assertThat(Answer.ofReachableRedis(() -> second.update("A1003", 2, 1)))
                    .matches(Answer::isBusy, "busy right after the kill");
            assertThat(second.orders().statusOf("A1003"))
                    .as("what the killed one wrote")
                    .isEqualTo(2);
            await().atMost(HOLD_TIME.plus(GENEROUS))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> second.update("A1003", 2, 1).isDone());
            // The last renewal was at most a third of the lease before the kill.
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(HOLD_TIME.dividedBy(2));
            assertThat(backends.database().workOn("A1003"))
                    .extracting(line -> line.instance() + " " + line.event())
                    .containsExactly("holder ENTERED", "second ENTERED", "second LEFT");
        }
    }

    /** Returns once the work has started. */
    private static CompletableFuture<Answer> startWork(Instance instance, String orderCode) {
        AtomicReference<CompletableFuture<Answer>> request = new AtomicReference<>();
        await().atMost(GENEROUS).until(() -> {
            CompletableFuture<Answer> latest = request.get();
            if (latest == null || latest.isDone()) {
                request.set(CompletableFuture.supplyAsync(() -> instance.update(orderCode, 1, 3)));
            }
            return !backends.database().workOn(orderCode).isEmpty();
        });
        return request.get();
    }

    private static Instance start(String name, String workTime) {
        return backends.start(
                name,
                List.of(
                        "playground.order.work-time=" + workTime,
                        "distribution-lock.defaults.lease-time=" + HOLD_TIME.toMillis() + "ms",
                        "distribution-lock.locks.updateOrderStatus.try-lock-time=" + TRY_LOCK_TIME.toMillis() + "ms"));
    }

    private static int mostAtWork(List<WorkLine> work) {
        int atWork = 0;
        int most = 0;
        for (WorkLine line : work) {
            atWork += line.isEntry() ? 1 : -1;
            most = Math.max(most, atWork);
        }
        return most;
    }
}
