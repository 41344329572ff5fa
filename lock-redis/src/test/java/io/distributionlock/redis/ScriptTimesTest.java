package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.CommandPort;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.RespClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long each script keeps Redis from all else, with 100,000 and a million waiters, readers and permits of one lock; prints a
 * table, from which docs/protocol.md has its figures. Redis itself takes the times (SLOWLOG), and those of its thread's processor, which a
 * busy machine hardly lengthens. What the test asserts is well above these, and far below what a loop over all claims takes.
 */
@Tag("long")
class ScriptTimesTest {

    private static final int RUNS = 15;

    /**
     * In ms of the processor, for the median; none takes more than 4. Before it had a limit, "holders" took 220 ms for 100,000 readers with
     * Redis 7.0.15.
     */
    private static final double MAX_MILLIS = 10;

    private static final int CLAIMS = CommandPort.MAX_HEARTBEAT_ENTRIES;
    private static final int PART = 10_000;
    private static final String OWNER = "distribution-lock:{order}";
    private static final String FENCE = OWNER + ":fence";
    private static final String QUEUE = OWNER + ":queue";
    private static final String PEERS = OWNER + ":peers";
    private static final String READERS = OWNER + ":readers";
    private static final String[] KEYS = {OWNER, FENCE, QUEUE, PEERS, READERS};

    private static final String SETTINGS = "600000 3000 30000 300000 distribution-lock:wake:\norder";
    private static final String LEASE = "60000";

    private final RedisProcess redis = RedisProcess.start();
    private final Map<String, Double> cpu = new LinkedHashMap<>();
    private final Map<String, Double> medians = new LinkedHashMap<>();
    private RespClient client;
    private int many;

    @BeforeEach
    void connect() throws IOException {
        client = new RespClient(redis.port());
        client.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
        client.command("CONFIG", "SET", "slowlog-max-len", "10");
        for (LockScript script : LockScript.values()) {
            client.command("SCRIPT", "LOAD", new String(script.text(), StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void end() {
        client.close();
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {100_000, 1_000_000})
    void noScriptKeepsRedisFromItsWorkForLong(int claims) {
        many = claims;
        ofWaiters();
        ofDeadWaiters();
        ofReaders();
        ofPermits();
        ofOtherLocks();
        System.out.printf(
                "Redis %s, %,d claims: medians of %d runs in ms, of the time and of the processor's%n",
                redis.version(), many, RUNS);
        medians.forEach((what, millis) -> System.out.printf("  %-50s %8.3f %8.3f%n", what, millis, cpu.get(what)));
        assertThat(cpu).allSatisfy((what, millis) -> assertThat(millis).isLessThan(MAX_MILLIS));
    }

    /** An owner, and many who wait, each in a process of its own. */
    private void ofWaiters() {
        Runnable owned = () -> client.command("SET", OWNER, "host:a:1 99999999999999", "PX", "100000000");
        letWait(true);
        String waiting = " (waiters)";
        measure("acquire, wait" + waiting, owned, run -> acquire("host:z:" + run, "wait"));
        measure("acquire, no wait" + waiting, owned, run -> acquire("host:y:" + run));
        measure("heartbeat, 100 claims in the queue" + waiting, owned, run -> heartbeat(i -> "host:b" + i + ":" + i));
        measure("heartbeat, 100 claims queue again" + waiting, owned, run -> heartbeat(i -> "host:x" + run + ":" + i));
        measure("release" + waiting, owned, run -> run(LockScript.RELEASE, "host:a:1"));
        measure("release, tombstone" + waiting, owned, run -> withTombstones(LockScript.RELEASE, "host:a:1"));
        measure(
                "release, leaves the queue" + waiting,
                owned,
                run -> run(LockScript.RELEASE, "host:b5000" + run + ":5000" + run));
        measure("number" + waiting, owned, run -> run(LockScript.NUMBER, "host:a:1", LEASE));
        measure("raise-fence" + waiting, owned, run -> run(LockScript.RAISE_FENCE, "host:a:1", LEASE, "9"));
        measure("inspect" + waiting, owned, run -> run(LockScript.INSPECT, "100"));
        measure("locked" + waiting, owned, run -> run(LockScript.LOCKED));
        measure("probe-owner" + waiting, owned, run -> run(LockScript.PROBE_OWNER));
        measure("holders" + waiting, owned, run -> run(LockScript.HOLDERS));
        measure("force-release" + waiting, owned, run -> run(LockScript.FORCE_RELEASE, "host:a:1"));
        measure("renew" + waiting, owned, run -> renew(OWNER));
        measure(
                "release-uncontended" + waiting,
                owned,
                run -> script(LockScript.RELEASE_UNCONTENDED, new String[] {OWNER}, "host:a:1"));
        Runnable last = () -> {
            client.command("UNLINK", QUEUE, PEERS);
            fill("redis.call('HSET', KEYS[1], 'host:b' .. i, '99999999999999')", PEERS);
            client.command("ZADD", QUEUE, "1", "host:b1:1");
            owned.run();
        };
        measure("release to the last of them", last, 3, run -> run(LockScript.RELEASE, "host:a:1"));
        measure("the last of them leaves", last, 3, run -> run(LockScript.RELEASE, "host:b1:1"));
        readersWait();
    }

    private void readersWait() {
        client.command("UNLINK", QUEUE, PEERS);
        fill("redis.call('ZADD', KEYS[1], 1000 + i, 'host:b:r' .. i)", QUEUE);
        client.command("HSET", PEERS, "host:b", "99999999999999");
        Runnable owned = () -> client.command("SET", OWNER, "host:a:1 99999999999999", "PX", "100000000");
        measure("release to readers", owned, run -> run(LockScript.RELEASE, "host:a:1"));
        measure(
                "admit",
                () -> client.command("SET", OWNER, "readers", "PX", "100000000"),
                run -> run(LockScript.ADMIT));
        client.command("UNLINK", READERS);
    }

    private void ofDeadWaiters() {
        letWait(false);
        Runnable free = () -> client.command("SET", OWNER, "host:a:1 1000", "PX", "100000000");
        measure("acquire, wait (dead waiters)", free, run -> acquire("host:z:" + run, "wait"));
        measure("acquire, no wait (dead waiters)", free, run -> acquire("host:y:" + run));
        measure("heartbeat (dead waiters)", free, run -> heartbeat(i -> "host:x" + run + ":" + i));
        measure("admit (dead waiters)", free, run -> run(LockScript.ADMIT));
        client.command("UNLINK", QUEUE, PEERS);
    }

    private void ofReaders() {
        Runnable read = () -> client.command("SET", OWNER, "readers", "PX", "100000000");
        letIn(":r", "99999900000000 + math.floor(i / 20)");
        sharing(":r", " (readers)", read);
        client.command("UNLINK", READERS);
        letIn(":r", "99999900000000");
        forced(":r", " (readers of one lease)", read);
        client.command("UNLINK", READERS);
        letIn(":r", "1000");
        ended(" (ended readers)", read);
    }

    private void ofPermits() {
        Runnable held = () -> client.command("SET", OWNER, "permits", "PX", "100000000");
        String sort = ":p" + (many + 1_000_000) + "-";
        letIn(sort, "99999900000000 + math.floor(i / 20)");
        sharing(sort, " (permits)", held);
        client.command("UNLINK", READERS);
        letIn(sort, "1000");
        ended(" (ended permits)", held);
    }

    private void sharing(String sort, String what, Runnable inside) {
        measure("acquire, enters" + what, inside, run -> acquire("host:z" + sort + run, "wait"));
        measure("acquire, still" + what, inside, run -> acquire("host:b" + sort + "77", "wait"));
        measure("acquire, no wait" + what, inside, run -> acquire("host:z:" + run));
        measure("heartbeat, 100 enter" + what, inside, run -> heartbeat(i -> "host:y" + run + sort + i));
        measure(
                "renew-reader" + what,
                inside,
                run -> run(LockScript.RENEW_READER, "host:b" + sort + "99", LEASE, "numbered"));
        measure("number" + what, inside, run -> run(LockScript.NUMBER, "host:b" + sort + "99", LEASE));
        measure("release" + what, inside, run -> run(LockScript.RELEASE, "host:b" + sort + (500 + run)));
        measure(
                "release, minimum hold" + what,
                inside,
                run -> run(LockScript.RELEASE, "host:b" + sort + (600 + run), "3000"));
        measure("inspect" + what, inside, run -> run(LockScript.INSPECT, "100"));
        measure("locked" + what, inside, run -> run(LockScript.LOCKED));
        measure("probe-owner" + what, inside, run -> run(LockScript.PROBE_OWNER));
        forced(sort, what, inside);
    }

    private void forced(String sort, String what, Runnable inside) {
        measure("holders, first" + what, inside, run -> run(LockScript.HOLDERS));
        List<String> first = lines(String.valueOf(client.command(run(LockScript.HOLDERS))));
        measure("holders, further" + what, inside, run -> run(LockScript.HOLDERS, first.get(0)));
        measure(
                "force-release of 100" + what,
                inside,
                run -> run(
                        LockScript.FORCE_RELEASE,
                        IntStream.range(0, 100)
                                .mapToObj(i -> "host:b" + sort + (1000 + 100 * run + i))
                                .toArray(String[]::new)));
    }

    private void ended(String what, Runnable inside) {
        measure("acquire" + what, inside, run -> acquire("host:z:" + run));
        measure("holders" + what, inside, run -> run(LockScript.HOLDERS));
        measure("inspect" + what, inside, run -> run(LockScript.INSPECT, "100"));
        measure("release" + what, inside, run -> run(LockScript.RELEASE, "host:z:" + run));
        client.command("UNLINK", READERS);
    }

    private void ofOtherLocks() {
        String[] owners = IntStream.range(0, 100)
                .mapToObj(i -> "distribution-lock:{order" + i + "}")
                .toArray(String[]::new);
        measure(
                "renew, 100 locks",
                () -> Stream.of(owners).forEach(key -> client.command("SET", key, "host:a:1 99999999999999")),
                run -> renew(owners));
        client.command("FLUSHALL");
    }

    // ------------------------------------------------------------------ what is in Redis

    /** Each in a process of its own. */
    private void letWait(boolean alive) {
        client.command("UNLINK", QUEUE, PEERS);
        fill("redis.call('ZADD', KEYS[1], 1000 + i, 'host:b' .. i .. ':' .. i)", QUEUE);
        fill("redis.call('HSET', KEYS[1], 'host:b' .. i, '" + (alive ? "99999999999999" : "1000") + "')", PEERS);
    }

    private void letIn(String sort, String ends) {
        client.command("UNLINK", QUEUE, PEERS);
        fill("redis.call('ZADD', KEYS[1], " + ends + ", 'host:b" + sort + "' .. i)", READERS);
    }

    private void fill(String each, String key) {
        for (int from = 0; from < many; from += PART) {
            client.command(
                    "EVAL",
                    "for i = tonumber(ARGV[1]), tonumber(ARGV[2]) - 1 do " + each + " end",
                    "1",
                    key,
                    String.valueOf(from),
                    String.valueOf(Math.min(from + PART, many)));
        }
    }

    // ------------------------------------------------------------------ calls

    private String[] acquire(String claim, String... waits) {
        return withTombstones(
                LockScript.ACQUIRE,
                Stream.concat(Stream.of(claim, LEASE), Stream.of(waits)).toArray(String[]::new));
    }

    /** With the tombstone of the first argument, a claim. */
    private String[] withTombstones(LockScript script, String... arguments) {
        String[] keys = Stream.concat(Stream.of(KEYS), Stream.of(OWNER + ":gone:" + arguments[0]))
                .toArray(String[]::new);
        return lockScript(script, keys, arguments);
    }

    private String[] heartbeat(IntFunction<String> claim) {
        List<String> keys = new ArrayList<>(List.of(KEYS));
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < CLAIMS; i++) {
            keys.add(OWNER + ":gone:" + claim.apply(i));
            arguments.add(claim.apply(i));
            arguments.add(LEASE);
        }
        return lockScript(LockScript.HEARTBEAT, keys.toArray(String[]::new), arguments.toArray(String[]::new));
    }

    private String[] renew(String... owners) {
        List<String> arguments = new ArrayList<>(List.of("600000", "3000"));
        Stream.of(owners).forEach(owner -> arguments.addAll(List.of("host:a:1", LEASE, "")));
        return script(LockScript.RENEW, owners, arguments.toArray(String[]::new));
    }

    private String[] run(LockScript script, String... arguments) {
        return lockScript(script, KEYS, arguments);
    }

    private String[] lockScript(LockScript script, String[] keys, String... arguments) {
        return script(
                script,
                keys,
                Stream.concat(Stream.of(script.label(), SETTINGS), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private String[] script(LockScript script, String[] keys, String... arguments) {
        return Stream.of(
                        new String[] {
                            "EVALSHA", new String(script.sha1(), StandardCharsets.UTF_8), String.valueOf(keys.length)
                        },
                        keys,
                        arguments)
                .flatMap(Stream::of)
                .toArray(String[]::new);
    }

    private static List<String> lines(String text) {
        return List.of(text.split("\n"));
    }

    private void measure(String what, Runnable before, IntFunction<String[]> call) {
        measure(what, before, RUNS, call);
    }

    private void measure(String what, Runnable before, int runs, IntFunction<String[]> call) {
        double[] millis = new double[runs];
        double[] busy = new double[runs];
        for (int run = 0; run < runs; run++) {
            before.run();
            double idle = -processorMillis() + processorMillis();
            client.command("SLOWLOG", "RESET");
            double start = processorMillis();
            client.command(call.apply(run));
            busy[run] = Math.max(processorMillis() - start - idle, 0);
            millis[run] = millisOfScript();
        }
        medians.put(what, median(millis));
        cpu.put(what, median(busy));
    }

    private static double median(double[] values) {
        return DoubleStream.of(values).sorted().toArray()[values.length / 2];
    }

    /** What Redis's main thread has used, which is no longer on a busy machine. */
    private double processorMillis() {
        String info = String.valueOf(client.command("INFO", "cpu"));
        return info.lines()
                .filter(line -> line.matches("used_cpu_(sys|user)_main_thread:.*"))
                .mapToDouble(line -> 1_000 * Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    private double millisOfScript() {
        for (Object entry : (List<?>) client.command("SLOWLOG", "GET", "10")) {
            List<?> fields = (List<?>) entry;
            if (((List<?>) fields.get(3)).get(0).equals("EVALSHA")) {
                return ((Number) fields.get(2)).longValue() / 1_000.0;
            }
        }
        throw new IllegalStateException("Redis does not report the script");
    }
}
