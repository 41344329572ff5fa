package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scripts and the backend in memory follow the same rules: the same random commands leave the same owners, readers and queue,
 * and have the same answers. What the simulation shows of the one so holds for the other.
 */
@Tag("server")
class ScriptsAndMemoryTest {

    private static final int RUNS = 120;
    private static final int COMMANDS = 40;
    private static final long FIRST_SEED = Long.getLong("simulation.seed", 1);
    private static final long LEASE = Duration.ofHours(1).toMillis();

    private static RedisProcess redis;
    private static Map<String, TestProcess> inRedis;

    /** Time stands still, so that nothing ends by itself. */
    private final LocalBackend memory = new LocalBackend(() -> 0, 1_800_000_000_000_000L, Runnable::run);

    private final Map<String, CommandPort> inMemory = new TreeMap<>();
    private String name = "";

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        inRedis = new TreeMap<>();
        for (String instance : List.of("host:a", "host:b")) {
            inRedis.put(instance, new TestProcess(redis.port(), instance, TestProcess.window(Duration.ofHours(1))));
        }
    }

    @AfterAll
    static void stop() {
        inRedis.values().forEach(TestProcess::close);
        redis.close();
    }

    @Test
    void theSameCommandsHaveTheSameResults() {
        for (String instance : inRedis.keySet()) {
            CommandPort port = memory.connect(instance);
            port.attach(new Deaf());
            inMemory.put(instance, port);
        }
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            name = "order:" + seed;
            Random random = new Random(seed);
            List<String> history = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++) {
                String instance = random.nextBoolean() ? "host:a" : "host:b";
                String claim = claimOf(instance, random);
                List<String> answers = command(random.nextInt(13), instance, claim, random);
                history.add(answers.get(0) + ": redis says " + answers.get(1) + ", memory " + answers.get(2)
                        + "; then in redis " + stateInRedis());
                assertThat(answers.get(1))
                        .as("seed %d%n%s", seed, String.join("\n", history))
                        .isEqualTo(answers.get(2));
                assertThat(stateInRedis())
                        .as("seed %d%n%s", seed, String.join("\n", history))
                        .isEqualTo(stateInMemory());
            }
        }
    }

    private static String claimOf(String instance, Random random) {
        return instance + ":" + (random.nextBoolean() ? "r" : "") + random.nextInt(4);
    }

    /** What was asked, and both answers. */
    private List<String> command(int choice, String instance, String claim, Random random) {
        CommandPort redisPort = inRedis.get(instance).port;
        CommandPort memoryPort = inMemory.get(instance);
        if (choice < 4) {
            boolean wait = random.nextInt(4) > 0;
            return both(
                    "acquire " + claim + (wait ? ", waiting" : ""),
                    Stream.of(redisPort, memoryPort)
                            .map(port ->
                                    port.acquire(name, claim, LEASE, wait).thenApply(ScriptsAndMemoryTest::describe)));
        }
        if (choice < 6) {
            List<Bidding> claims = Stream.of(claim, claimOf(instance, random), claimOf(instance, random))
                    .distinct()
                    .map(each -> new Bidding(each, LEASE))
                    .toList();
            return both(
                    "acquire all " + claims,
                    Stream.of(redisPort, memoryPort)
                            .map(port -> port.acquireAll(name, claims)
                                    .thenApply(replies -> replies.stream()
                                            .map(ScriptsAndMemoryTest::describe)
                                            .toList()
                                            .toString())));
        }
        if (choice < 10) {
            boolean tombstone = random.nextInt(10) == 0;
            return both(
                    "release " + claim + (tombstone ? ", tombstone" : ""),
                    Stream.of(redisPort, memoryPort)
                            .map(port -> port.release(name, claim, tombstone, 0).thenApply(Enum::name)));
        }
        if (choice == 10) {
            return both(
                    "downgrade " + claim,
                    Stream.of(redisPort, memoryPort)
                            .map(port -> port.downgrade(name, claim).thenApply(Enum::name)));
        }
        if (choice == 11) {
            return both(
                    "renew " + claim,
                    Stream.of(redisPort, memoryPort)
                            .map(port -> port.renew(List.of(TestProcess.renewal(name, claim, LEASE)))
                                    .get(0)
                                    .thenApply(ScriptsAndMemoryTest::describe)));
        }
        boolean force = random.nextInt(3) == 0;
        return both(
                force ? "force" : "is locked",
                Stream.of(redisPort, memoryPort)
                        .map(port ->
                                (force ? port.forceRelease(name) : port.isLocked(name)).thenApply(String::valueOf)));
    }

    private static List<String> both(String what, Stream<CompletableFuture<String>> answers) {
        List<String> all = new ArrayList<>(List.of(what));
        answers.forEach(answer -> all.add(TestProcess.answer(answer)));
        return all;
    }

    private static String describe(AcquireReply reply) {
        if (reply instanceof AcquireReply.Ok ok) {
            return (ok.still() ? "still, " : "ok, ") + ok.waiting() + " wait";
        }
        return reply.getClass().getSimpleName();
    }

    private static String describe(RenewReply reply) {
        return reply.held() ? "held" : "not held";
    }

    private String stateInRedis() {
        String owner = "distribution-lock:{" + name + "}";
        TreeSet<String> inside = new TreeSet<>(strings(redis.command("ZRANGE", owner + ":readers", "0", "-1")));
        if (redis.command("GET", owner) instanceof String value && !value.equals("readers")) {
            inside.add(value.replaceFirst(" \\d+$", "")); // without the end of a guarded lease
        }
        return inside + " inside, waiting " + strings(redis.command("ZRANGE", owner + ":queue", "0", "-1"));
    }

    private String stateInMemory() {
        return new TreeSet<>(memory.holders(name)) + " inside, waiting " + memory.waiters(name);
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Object reply) {
        return (List<String>) reply;
    }

    private static final class Deaf implements CommandListener {

        @Override
        public void granted(String name, String claim) {}

        @Override
        public void revoked(String name, String claim) {}

        @Override
        public void listening() {}

        @Override
        public void reconnected() {}
    }
}
