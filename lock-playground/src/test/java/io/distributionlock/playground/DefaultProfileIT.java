package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The default setup: only the application, started twice. */
@Tag("long")
class DefaultProfileIT {

    private static final Duration GENEROUS = Duration.ofSeconds(60);

    /** About five seconds on a quiet machine; less than the minute for which a killed holder's lock may live on. */
    private static final Duration TAKEOVER = Duration.ofSeconds(40);

    private Path data;
    private int redisPort;
    private RedisClient redis;
    private TestMasters masters;
    private final List<Instance> instances = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "data")), "default-")
                .toAbsolutePath();
        redisPort = FreePorts.next();
        redis = RedisClient.create(RedisURI.create("127.0.0.1", redisPort));
        masters = TestMasters.atFreePorts();
    }

    @AfterEach
    void endEverything() {
        instances.forEach(Instance::close);
        try (StatefulRedisConnection<String, String> orphan = redis.connect()) {
            orphan.sync().shutdown(false);
        } catch (RedisException alreadyGone) {
            // Expected after a successful test.
        } finally {
            redis.shutdown();
            masters.endThoseLeft();
        }
    }

    @Test
    void twoThatStartTogetherShareRedisAndDatabase() throws Exception {
        // Longer than three waits for the lock.
        Instance first = start("first", "playground.order.work-time=15s");
        Instance second = start("second", "playground.order.work-time=10ms");
        first.port();
        second.warmUp();

        assertThat(second.update("A1001", 7, 3)).matches(Answer::isDone, "done");
        assertThat(first.orders().statusOf("A1001")).isEqualTo(3);
        assertThat(first.output()).contains("127.0.0.1:" + redisPort);
        assertThat(second.output()).contains("127.0.0.1:" + redisPort);

        first.warmUp();
        CompletableFuture<Answer> atWork = CompletableFuture.supplyAsync(() -> first.update("A1002", 7, 2));
        await().atMost(GENEROUS).until(() -> isLocked("A1002"));
        assertThat(Answer.ofReachableRedis(() -> second.update("A1002", 8, 3))).matches(Answer::isBusy, "busy");
        assertThat(atWork.get(60, TimeUnit.SECONDS)).matches(Answer::isDone, "done");
        assertThat(second.orders().statusOf("A1002")).isEqualTo(2);
    }

    @Test
    void redisAndDatabaseStayUntilTheLastInstanceLeaves() throws IOException {
        Instance first = start("first", "playground.order.work-time=10ms").warmUp();
        assertThat(first.update("A1001", 7, 3)).matches(Answer::isDone, "done");
        Instance second = start("second", "playground.order.work-time=10ms");
        assertThat(second.orders().statusOf("A1001")).isEqualTo(3);
        assertThat(second.warmUp().output()).contains("Joined the Redis");

        first.kill();
        await().atMost(TAKEOVER).until(() -> second.update("A1002", 7, 3).isDone());
        assertThat(masters.answering())
                .as("masters that the killed one has started")
                .isEqualTo(3);

        Instance third = start("third", "playground.order.work-time=10ms");
        assertThat(third.orders().statusOf("A1002")).isEqualTo(3);
        second.stop();
        await().atMost(TAKEOVER).until(() -> third.update("A1003", 7, 3).isDone());

        assertThat(masters.answering()).as("masters that the third one uses").isEqualTo(3);
        third.stop();
        await().atMost(GENEROUS).until(() -> !redisAnswers());
        await().atMost(GENEROUS).until(() -> masters.answering() == 0);
        try (Stream<Path> left = Files.list(data)) {
            assertThat(left).containsExactly(data.resolve("orders.mv.db"));
        }
    }

    @Test
    void aSecondInstanceEndsWithTheOneThatStartedIt() {
        // The second instance gets a port near that of the first, and needs some seconds to start.
        Instance first = start("first", "server.port=" + FreePorts.next(), "playground.order.work-time=10ms");
        assertThat(Command.to(first.port(), "/v1/instances")).matches(Answer::isDone, "done");
        await().atMost(GENEROUS.multipliedBy(3))
                .until(() -> namesOfInstances(first).size() == 2);
        assertThat(Command.to(first.port(), "/v1/instances").message()).isEqualTo("已有两个或更多实例在运行");
        assertThat(first.warmUp().update("A1001", 7, 3)).matches(Answer::isDone, "done");
        List<ProcessHandle> second = first.descendants();
        assertThat(second).isNotEmpty().allMatch(ProcessHandle::isAlive);

        first.kill();

        await().atMost(GENEROUS).until(() -> second.stream().noneMatch(ProcessHandle::isAlive));
        await().atMost(GENEROUS).until(() -> !redisAnswers());
        await().atMost(GENEROUS).until(() -> masters.answering() == 0);
    }

    private static List<String> namesOfInstances(Instance asked) {
        return Answer.to("GET", asked.port(), "/v1/instances")
                .json()
                .path("data")
                .findValuesAsString("name");
    }

    private Instance start(String name, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("playground.data-directory=" + data);
        all.add("playground.embedded-redis.port=" + redisPort);
        all.addAll(masters.properties());
        all.addAll(List.of(Patience.WITH_BUSY_ORDERS, Patience.WITH_REDIS, Patience.WITH_CLIENT));
        Instance instance = Instance.start(name, all.toArray(String[]::new));
        instances.add(instance);
        return instance;
    }

    private boolean isLocked(String orderCode) {
        try (StatefulRedisConnection<String, String> connection = redis.connect()) {
            return !connection
                    .sync()
                    .scan(ScanArgs.Builder.matches("distribution-lock:*" + orderCode + "*")
                            .limit(1_000))
                    .getKeys()
                    .isEmpty();
        }
    }

    private boolean redisAnswers() {
        try (StatefulRedisConnection<String, String> connection = redis.connect()) {
            return connection.isOpen();
        } catch (RedisException gone) {
            return false;
        }
    }
}
