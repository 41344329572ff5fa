package io.distributionlock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.sample.TestDatabase.WorkLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two processes with one Redis and one database that belong to the test. */
class TwoInstancesIT {

    /** Longer than the annotation's second, so that waiters learn of the holder in time even on a busy machine. */
    private static final Duration TRY_LOCK_TIME = Duration.ofSeconds(3);

    private static final Duration GENEROUS = Duration.ofSeconds(60);
    private static final int BURSTS = 3;

    private TestRedis redis;
    private TestDatabase database;
    private final List<Instance> instances = new ArrayList<>();

    @BeforeEach
    void startBackends() {
        redis = TestRedis.start();
        database = TestDatabase.start();
    }

    @AfterEach
    void endEverything() {
        instances.forEach(Instance::close);
        database.close();
        redis.close();
    }

    @Test
    void neverTwoAtWorkOnOneOrderAndTheOthersAreAnsweredBusy() throws Exception {
        Instance first = start("first", "sample.order.work-time=1s");
        Instance second = start("second", "sample.order.work-time=1s");
        first.warmUp();
        second.warmUp();

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

        List<WorkLine> work = database.workOn("A1001");
        WorkLines.assertNeverTwoAtWork(work);
        assertThat(work).hasSize(2 * done.size());
    }

    @Test
    void differentOrdersChangeInParallel() throws Exception {
        Instance first = start("first", "sample.order.work-time=3s");
        Instance second = start("second", "sample.order.work-time=3s");
        first.warmUp();
        second.warmUp();

        List<Answer> answers = Crowd.atOnce(List.of(
                () -> first.update("A1001", 1, 2),
                () -> second.update("A1002", 2, 2),
                () -> first.update("A1003", 3, 3),
                () -> second.update("A1004", 4, 3)));

        assertThat(answers).allMatch(Answer::isDone);
        assertThat(mostAtWork(database.work()))
                .as("orders at work at the same time")
                .isGreaterThan(1);
    }

    @Test
    void afterTheHolderIsKilledTheOrderIsFreeWhenTheHoldTimeIsOverAndNotBefore() {
        // Even the rest of it is longer than three waits for the lock.
        Duration holdTime = Duration.ofSeconds(20);
        String hold = "distribution-lock.defaults.lease-time=" + holdTime.toMillis() + "ms";
        Instance holder = start("holder", "sample.order.work-time=10m", hold);
        Instance other = start("other", "sample.order.work-time=100ms", hold);
        holder.port();
        other.warmUp();
        CompletableFuture<Answer> neverAnswered = startWork(holder, "A1001");

        long killed = System.nanoTime();
        holder.kill();
        assertThat(neverAnswered).failsWithin(GENEROUS);

        assertThat(Answer.ofReachableRedis(() -> other.update("A1001", 2, 2)))
                .matches(Answer::isBusy, "busy right after the kill");
        assertThat(other.orders().statusOf("A1001"))
                .as("what the killed one wrote")
                .isEqualTo(1);
        await().atMost(holdTime.plus(GENEROUS))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> other.update("A1001", 2, 2).isDone());
        // The last renewal was at most a third of the lease before the kill.
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(holdTime.dividedBy(2));
        assertThat(database.workOn("A1001"))
                .extracting(line -> line.instance() + " " + line.event())
                .containsExactly("holder ENTERED", "other ENTERED", "other LEFT");
    }

    /** Returns once the work has started. */
    private CompletableFuture<Answer> startWork(Instance instance, String orderCode) {
        AtomicReference<CompletableFuture<Answer>> request = new AtomicReference<>();
        await().atMost(GENEROUS).until(() -> {
            CompletableFuture<Answer> latest = request.get();
            if (latest == null || latest.isDone()) {
                request.set(CompletableFuture.supplyAsync(() -> instance.update(orderCode, 1, 3)));
            }
            return !database.workOn(orderCode).isEmpty();
        });
        return request.get();
    }

    private Instance start(String name, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("spring.data.redis.host=127.0.0.1");
        all.add("spring.data.redis.port=" + redis.port());
        all.add("spring.datasource.url=" + database.url());
        all.add("distribution-lock.locks.updateOrderStatus.try-lock-time=" + TRY_LOCK_TIME.toMillis() + "ms");
        all.addAll(List.of(Patience.WITH_REDIS, Patience.WITH_CLIENT));
        Instance instance = Instance.start(name, all.toArray(String[]::new));
        instances.add(instance);
        return instance;
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
