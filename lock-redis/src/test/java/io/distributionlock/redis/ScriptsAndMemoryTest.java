package io.distributionlock.redis;

import static io.distributionlock.redis.ScriptTrace.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.redis.ScriptTrace.Claim;
import io.distributionlock.testing.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The scripts and the backend in memory follow the same rules: the same random steps, with time that passes and processes that die,
 * have the same answers and messages and leave the same holders and queue. What the simulation shows of the one so holds for the
 * other. A trace of it is compared with the specification, too.
 *
 * <p>Time is virtual for both. In Redis, all that is stored about the lock is moved by it before each step. Steps happen at whole
 * seconds, and what ends does so at half ones, so that no step comes close to an end.
 */
@Tag("server")
class ScriptsAndMemoryTest {

    private static final int RUNS = Integer.getInteger("scripts-and-memory.runs", 25);
    private static final int STEPS = 60;
    private static final long FIRST_SEED = Long.getLong("simulation.seed", System.nanoTime() & 0xFFFF_FFFFL);
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final Duration GRANT_LEASE = Duration.ofMillis(3_500);
    private static final List<Long> LEASES = List.of(1_500L, 4_500L, 60_500L);

    /** A queue is forgotten after 30 s: a moment that no step must meet. */
    private static final long MAX_BEFORE_A_JUMP = 28;

    private static final List<String> INSTANCES = List.of("host:a", "host:b", "host:c");

    private static RedisProcess redis;
    private static Map<String, TestProcess> inRedis;

    private final EngineSettings standard = EngineSettings.standard("x");
    private final ModelBackend memory = new ModelBackend(this::nanos, 1_800_000_000_000_000L, Runnable::run);
    private final Map<String, CommandPort> inMemory = new TreeMap<>();
    private final Map<String, RecordingListener> toldInMemory = new TreeMap<>();

    /** Virtual time, in ms. */
    private long now;

    private LockInVirtualTime inVirtualTime = new LockInVirtualTime(redis, "", 0);

    private String name = "";
    private Random random = new Random();
    private final List<String> history = new ArrayList<>();
    private final ScriptTrace trace = new ScriptTrace();
    private final Set<String> living = new HashSet<>();

    /**
     * Claims with a tombstone. No process acquires one anew. A SET that was sent before and arrives late takes the lock in memory
     * whenever it is free; in Redis, an outdated owner key may still refuse it, which is as good.
     */
    private final Set<String> abandoned = new HashSet<>();

    private boolean stoodStill;

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(now);
    }

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        inRedis = new TreeMap<>();
        for (String instance : INSTANCES) {
            TestProcess process = new TestProcess(redis.port(), instance, TestProcess.window(GRANT_LEASE));
            inRedis.put(instance, process);
            process.port.listen();
            await().atMost(SOON).until(() -> process.told.listening.get() > 0);
            // Before the first SET over a connection a release runs, which would drop a claim that is queued.
            TestProcess.answer(process.port.acquireUncontended("first:" + instance, instance + ":1", 1, false));
        }
    }

    @AfterAll
    static void stop() {
        inRedis.values().forEach(TestProcess::close);
        redis.close();
    }

    @Test
    void theSameStepsHaveTheSameAnswersAndMessages() {
        drive(FIRST_SEED, RUNS);
    }

    /** Four times as many. */
    @Tag("long")
    @Test
    void otherStepsHaveTheSameAnswersAndMessagesToo() {
        drive(FIRST_SEED + RUNS, 4 * RUNS);
    }

    private void drive(long firstSeed, int runs) {
        for (String instance : INSTANCES) {
            CommandPort port = ModelPort.connect(
                    memory,
                    new EngineSettings(
                            instance,
                            standard.commandTimeout(),
                            GRANT_LEASE,
                            standard.heartbeat(),
                            standard.handoverMaxCount(),
                            standard.handoverMaxTime()));
            RecordingListener told = new RecordingListener();
            port.attach(told);
            port.listen();
            inMemory.put(instance, port);
            toldInMemory.put(instance, told);
        }
        System.out.println("-Dsimulation.seed=" + firstSeed);
        int finished = 0;
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            finished += run(seed) ? 1 : 0;
        }
        trace.write(Path.of("target", "script-trace.txt"));
        assertThat(finished).as("runs without a standstill").isGreaterThan(runs / 5);
    }

    /** Returns whether it came to its end. */
    private boolean run(long seed) {
        name = "order:" + seed;
        random = new Random(seed);
        history.clear();
        history.add("-Dsimulation.seed=" + seed);
        trace.beginRun("-Dsimulation.seed=" + seed);
        abandoned.clear();
        living.clear();
        living.addAll(INSTANCES);
        stoodStill = false;
        long sinceJump = 0;
        inVirtualTime = new LockInVirtualTime(redis, name, now);
        int kinds = random.nextInt(10);
        String sorts = kinds < 6 ? "er" : kinds < 9 ? "p" : "erp";
        for (int i = 0; i < STEPS && !stoodStill; i++) {
            if (random.nextInt(4) == 0) {
                boolean jump = sinceJump + 3 > MAX_BEFORE_A_JUMP;
                long seconds = jump ? 100 : 1 + random.nextInt(3);
                sinceJump = jump ? 0 : sinceJump + seconds;
                now += TimeUnit.SECONDS.toMillis(seconds);
                history.add("--- " + seconds + " s pass, at " + now);
                trace.add(Map.of("verb", "pass", "seconds", seconds));
                // Who lives and waits shows it, as often as it must. What is left of a process that paused depends in
                // Redis on how long
                // the owner key outlives its lease, which memory does not model.
                living.stream().sorted().forEach(this::heartbeat);
            } else if (living.size() > 1 && random.nextInt(25) == 0) {
                String dead = one(living.stream().sorted().toList());
                living.remove(dead);
                history.add("--- " + dead + " dies");
                trace.add(Map.of("verb", "die", "process", dead));
            } else {
                String instance = one(living.stream().sorted().toList());
                step(instance, claimOf(instance, sorts), sorts);
            }
        }
        endOfMessages();
        return !stoodStill;
    }

    /** Whatever was sent has arrived before a further message. */
    private void endOfMessages() {
        inRedis.forEach((instance, process) -> {
            String last = "last:" + name + instance;
            process.acquire(last, instance + ":1", 60_500, false);
            // By another process: one that does this itself knows it without the message.
            TestProcess other = inRedis.get(INSTANCES.get((INSTANCES.indexOf(instance) + 1) % INSTANCES.size()));
            TestProcess.answer(other.port.forceRelease(last));
            List<RecordingListener.Revoked> revoked = process.told.revoked;
            await().atMost(SOON)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> revoked.removeIf(message -> message.name().equals(last)));
        });
        if (!stoodStill) {
            INSTANCES.forEach(this::compareMessages);
        }
        Stream.concat(toldInMemory.values().stream(), inRedis.values().stream().map(process -> process.told))
                .forEach(told -> {
                    told.granted.clear();
                    told.revoked.clear();
                });
    }

    private void compareMessages(String instance) {
        assertThat(messages(inRedis.get(instance).told))
                .as("messages to %s, %s", instance, history())
                .isEqualTo(messages(toldInMemory.get(instance)));
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Often one that is inside or waits, because most commands do nothing for others. */
    private String claimOf(String instance, String sorts) {
        List<String> present = Stream.concat(memory.holders(name).stream(), memory.waiters(name).stream())
                .filter(claim -> ClaimIds.instanceOf(claim).equals(instance))
                .sorted()
                .toList();
        if (!present.isEmpty() && random.nextBoolean()) {
            return one(present);
        }
        int number = random.nextInt(3);
        return instance + ":"
                + switch (sorts.charAt(random.nextInt(sorts.length()))) {
                    case 'r' -> "r" + number;
                    case 'p' -> "p" + (1 + random.nextInt(3)) + "-" + number;
                    default -> number;
                };
    }

    private void step(String instance, String claim, String sorts) {
        Claim claimed = new Claim(claim);
        boolean exclusive = !ClaimIds.isReader(claim) && ClaimIds.permitsOf(claim) == 0;
        long lease = one(LEASES);
        boolean wait = random.nextInt(4) > 0;
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 ->
                both(
                        command("acquire", "id", claimed, "lease", lease, "wait", wait),
                        instance,
                        port -> port.acquire(name, claim, lease, wait),
                        this::describe);
            case 5, 6 -> {
                if (exclusive && !abandoned.contains(claim)) {
                    both(
                            command("uncontended acquire", "id", claimed, "lease", lease, "wait", wait),
                            instance,
                            port -> port.acquireUncontended(name, claim, lease, wait),
                            this::describe);
                }
            }
            case 7, 8 -> {
                List<HeartbeatEntry> claims = Stream.of(claim, claimOf(instance, sorts), claimOf(instance, sorts))
                        .distinct()
                        .map(each -> new HeartbeatEntry(each, lease))
                        .toList();
                heartbeat(instance, claims);
            }
            case 9, 10, 11, 12 -> {
                boolean tombstone = random.nextInt(10) == 0;
                long minHold = random.nextInt(8) == 0 ? 2_500 : 0;
                if (tombstone) {
                    abandoned.add(claim);
                }
                both(
                        command("release", "id", claimed, "tombstone", tombstone, "minHold", minHold),
                        instance,
                        port -> port.release(name, claim, tombstone, minHold),
                        Enum::name);
            }
            case 13 ->
                both(
                        command("uncontended release", "id", claimed),
                        instance,
                        port -> port.releaseUncontended(name, claim),
                        Enum::name);
            case 14, 15, 16 -> {
                long renewed = random.nextInt(3) == 0 ? 0 : lease;
                both(
                        command("renew", "id", claimed, "lease", renewed),
                        instance,
                        port -> port.renew(List.of(TestProcess.renewal(name, claim, renewed)))
                                .get(0),
                        this::describe);
            }
            case 17 -> {
                // Who has a permit has its number.
                if (ClaimIds.permitsOf(claim) == 0) {
                    both(
                            command("number", "id", claimed),
                            instance,
                            port -> port.number(name, claim, lease),
                            number -> number == 0 ? "none" : "some");
                }
            }
            case 18 -> {
                if (random.nextInt(3) == 0) {
                    both(command("force release"), instance, port -> port.forceRelease(name), String::valueOf);
                }
            }
            default -> probeOwners(instance);
        }
    }

    /** In memory no holder can be forgotten, so nobody is asked. In Redis all holders are. */
    private void probeOwners(String instance) {
        inVirtualTime.align(now);
        history.add(instance + ": probe owners");
        inRedis.values().forEach(process -> process.told.probed.clear());
        inRedis.get(instance).port.probeOwners(name);
        List<String> holders = memory.holders(name).stream().sorted().toList();
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> assertThat(inRedis.values().stream()
                                .flatMap(process -> process.told.probed.stream())
                                .map(RecordingListener.Probed::claim)
                                .sorted())
                        .as(this::history)
                        .isEqualTo(holders));
    }

    private void heartbeat(String instance) {
        List<HeartbeatEntry> waiting = memory.waiters(name).stream()
                .filter(claim -> ClaimIds.instanceOf(claim).equals(instance))
                .map(claim -> new HeartbeatEntry(claim, 4_500))
                .toList();
        if (!waiting.isEmpty()) {
            heartbeat(instance, waiting);
        }
    }

    private void heartbeat(String instance, List<HeartbeatEntry> claims) {
        List<Map<String, ?>> entries = claims.stream()
                .<Map<String, ?>>map(each -> Map.of("id", new Claim(each.claim()), "lease", each.leaseMillis()))
                .toList();
        both(
                command("heartbeat", "entries", entries),
                instance,
                port -> port.acquireAll(name, claims),
                replies -> replies.stream().map(this::describe).toList().toString());
    }

    private <T> void both(
            Map<String, Object> sent,
            String instance,
            Function<CommandPort, CompletableFuture<T>> command,
            Function<T, String> describe) {
        if (stoodStill) {
            return;
        }
        inVirtualTime.align(now);
        String answer = describe.apply(TestProcess.answer(command.apply(inMemory.get(instance))));
        T fromRedis = TestProcess.answer(command.apply(inRedis.get(instance).port));
        stoodStill = inVirtualTime.tookTooLong();
        if (stoodStill) {
            return;
        }
        history.add(instance + ": " + sent + ": redis says " + describe.apply(fromRedis) + ", memory " + answer);
        assertThat(describe.apply(fromRedis)).as(this::history).isEqualTo(answer);
        await().atMost(SOON)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .untilAsserted(() -> INSTANCES.forEach(this::compareMessages));
        inVirtualTime.align(now);
        String state = state(TestProcess.answer(inMemory.get(instance).inspect(name)));
        LockInspection inspected = TestProcess.answer(inRedis.get(instance).port.inspect(name));
        long keyLeft = inVirtualTime.ownerKeyLeft();
        stoodStill = inVirtualTime.tookTooLong();
        if (stoodStill) {
            return;
        }
        history.add("    then " + state);
        assertThat(state(inspected)).as(this::history).isEqualTo(state);
        trace.add(sent, fromRedis, granted(), inspected, waiting(inspected), keyLeft);
    }

    private List<String> granted() {
        return inRedis.values().stream()
                .flatMap(process -> process.told.granted.stream())
                .map(RecordingListener.Granted::claim)
                .toList();
    }

    private String history() {
        return String.join("\n", history);
    }

    private static List<String> messages(RecordingListener told) {
        return Stream.concat(
                        told.granted.stream().map(message -> "granted " + message.name() + " " + message.claim()),
                        told.revoked.stream().map(message -> "revoked " + message.name() + " " + message.claim()))
                .sorted()
                .toList();
    }

    private String state(LockInspection shown) {
        return shown.inside().stream()
                        .map(inside -> inside.claim() + " of " + inside.permits() + " "
                                + (inside.minHold() ? "minimum hold " : inside.reads() ? "reads " : "")
                                + halves(inside.leaseLeft().toMillis()))
                        .sorted()
                        .toList()
                + ", waiting " + waiting(shown);
    }

    /** Claims of the dead may stay in a queue until somebody comes by. */
    private List<String> waiting(LockInspection shown) {
        return shown.queue().stream()
                .filter(claim -> living.contains(ClaimIds.instanceOf(claim)))
                .toList();
    }

    /** Leases end at half seconds. */
    private static String halves(long millis) {
        return Math.round((millis - 500) / 1_000.0) + ".5 s";
    }

    private String describe(RenewReply reply) {
        return reply.held() ? "held" + wanted(reply.waiting()) : "not held";
    }

    /** Claims of the dead count until somebody comes by. */
    private String wanted(long waiting) {
        return waiting > 0 && living.size() == INSTANCES.size() ? ", wanted" : "";
    }

    private String describe(AcquireReply reply) {
        if (reply instanceof AcquireReply.Ok ok) {
            return (ok.still() ? "still" : "ok") + wanted(ok.waiting());
        }
        if (reply instanceof AcquireReply.Busy busy) {
            return "busy for " + (busy.leaseLeftMillis() == 0 ? "0" : halves(busy.leaseLeftMillis()));
        }
        return reply.getClass().getSimpleName();
    }
}
