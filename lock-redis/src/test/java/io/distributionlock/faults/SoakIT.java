package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes with many threads take a few locks, while processes are killed, started again, stopped and continued, threads
 * are interrupted, connections are slow, cut or die without a word, and the memory of Redis is full. One lock is read and written, by
 * processes that die at it; fixed leases are shorter than waits; tokens are drawn late. Each process also stands for election.
 * Afterwards a checker reads what all of them saw, and proves that no two leases of a name were valid at once, nor more of a name with
 * permits than it has, that there were never two leaders, that fencing tokens only grew, and that no waiter was forgotten.
 *
 * <p>Lasts for {@code -Dsoak.seconds} (60); {@code -Dsoak.seed} repeats the choices of an earlier run, though not its timing.
 */
@Tag("long")
class SoakIT {

    private static final int PROCESSES = 3;
    private static final int THREADS = 6;
    private static final int KEYS = 3;

    /** Far more than what a queue of all threads takes, with a crash and a stop in the middle of it. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    /** For a thread to be run on a loaded machine, after its time was over. */
    private static final Duration SLACK = Duration.ofSeconds(10);

    private static final Duration START = Duration.ofSeconds(60);

    private final Duration length = Duration.ofSeconds(Long.getLong("soak.seconds", 60));
    private final long seed = Long.getLong("soak.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    private RedisProcess redis;
    private final List<Member> running = new ArrayList<>();
    private final List<Pause> pauses = new ArrayList<>();
    private final List<Turn> turns = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private int started;
    private int kills;
    private int cuts;
    private int deadConnections;
    private int shortages;
    private int delays;

    /** One process, from its start to its end. */
    private record Member(String name, Path history, ChildProcess process, TcpProxy network) {

        void close() {
            process.close();
            network.close();
        }
    }

    @BeforeEach
    void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterEach
    void endEverything() {
        running.forEach(Member::close);
        redis.close();
    }

    @Test
    void nothingThatHappensToProcessesAndConnectionsBreaksAPromise() throws IOException {
        System.out.println("Soak of " + length.toSeconds() + " s, repeat by -Dsoak.seed=" + seed);
        for (int process = 0; process < PROCESSES; process++) {
            running.add(startProcess());
        }
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            rest(200 + random.nextInt(1_000));
            disturb();
        }
        drain();

        System.out.println(summary());
        Map<Boolean, List<Turn>> byPermit = turns.stream()
                .collect(Collectors.partitioningBy(turn -> turn.key().equals(SoakProcess.PERMITTED)));
        assertThat(HistoryChecker.violationsOf(byPermit.get(false))).isEmpty();
        assertThat(HistoryChecker.violationsOfPermits(byPermit.get(true), SoakProcess.PERMITS))
                .isEmpty();
        assertThat(HistoryChecker.violationsOf(attempts, pauses, MAX_WAIT, SLACK))
                .isEmpty();
        somethingHappened();
        // The place of a killed process in a queue outlives it by half a minute, if nobody comes by and drops it.
        await().atMost(Duration.ofSeconds(45))
                .untilAsserted(() -> assertThat(keysLeft()).isEmpty());
    }

    private Member startProcess() {
        String name = "process-" + started++;
        Path history = folder.resolve(name);
        TcpProxy network = new TcpProxy(redis.port());
        ChildProcess process = ChildProcess.start(
                SoakProcess.class,
                String.valueOf(network.port()),
                name,
                history.toString(),
                String.valueOf(random.nextLong()),
                String.valueOf(THREADS),
                String.valueOf(KEYS));
        process.await("ready", START);
        return new Member(name, history, process, network);
    }

    private void disturb() throws IOException {
        int victim = random.nextInt(running.size());
        switch (random.nextInt(9)) {
            case 0 -> killAndReplace(victim);
            case 1, 2, 3 -> pause(running.get(victim));
            case 4 -> cut("normal");
            case 5 -> cut("pubsub");
            case 6 -> swallow(running.get(victim).network());
            case 7 -> delay(running.get(victim).network());
            default -> fillMemory();
        }
    }

    /**
     * Until another delay follows; about every second one is none. The way there and back is shorter than the shortest lease: one that
     * ends before its answer comes can never be acquired.
     */
    private void delay(TcpProxy network) {
        network.latency(Duration.ofMillis(Math.max(0, random.nextInt(60) - 30)));
        delays++;
    }

    private void killAndReplace(int victim) throws IOException {
        Member killed = running.get(victim);
        killed.process().kill();
        kills++;
        read(killed);
        killed.close();
        running.set(victim, startProcess());
    }

    /** For shorter or longer than leases, heartbeats, the liveness timeout and the command timeout. */
    private void pause(Member member) {
        long from = System.nanoTime();
        member.process().pause();
        rest(random.nextInt(3) == 0 ? random.nextInt(5_000) : random.nextInt(1_000));
        member.process().resume();
        pauses.add(new Pause(member.name(), from, System.nanoTime()));
    }

    private void cut(String type) {
        redis.command("CLIENT", "KILL", "TYPE", type);
        cuts++;
    }

    /** What is sent over the present connections goes nowhere, while new ones work; after a while they end for all to see. */
    private void swallow(TcpProxy network) {
        network.swallow();
        rest(random.nextInt(3_000));
        network.cut();
        deadConnections++;
    }

    /** Redis refuses whatever needs memory. */
    private void fillMemory() {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        rest(random.nextInt(1_500));
        redis.command("CONFIG", "SET", "maxmemory", "0");
        shortages++;
    }

    private static void rest(int millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        await().atMost(Duration.ofMinutes(1))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> System.nanoTime() >= end);
    }

    /** Everybody ends what they are at: a waiter that was forgotten would keep its process from ending. */
    private void drain() throws IOException {
        running.forEach(member -> member.process().send("drain"));
        for (Member member : running) {
            assertThat(member.process().await("drained ", MAX_WAIT.plus(SLACK).plus(SLACK)))
                    .as("names that " + member.name() + " holds or waits for yet")
                    .isEqualTo("drained 0");
            read(member);
        }
    }

    private void read(Member ended) throws IOException {
        HistoryFile.History history = HistoryFile.read(ended.history(), ended.name(), System.nanoTime());
        turns.addAll(history.turns());
        attempts.addAll(history.attempts());
    }

    /** A soak in which nothing happened would prove nothing. */
    private void somethingHappened() {
        assertThat(turns.stream().collect(Collectors.groupingBy(Turn::key))).hasSize(KEYS + 3);
        assertThat(turns)
                .filteredOn(turn -> turn.key().equals(Candidate.LOCK))
                .hasSizeGreaterThan((int) length.toSeconds() / 10);
        assertThat(turns).hasSizeGreaterThan((int) length.toSeconds() * KEYS);
        assertThat(turns).filteredOn(Turn::wasValid).hasSizeGreaterThan(turns.size() / 2);
        assertThat(turns).extracting(Turn::released).contains(ReleaseResult.RELEASED, ReleaseResult.LOST);
        assertThat(attempts).extracting(Attempt::outcome).contains(Attempt.ACQUIRED, Attempt.BUSY, "INTERRUPTED");
        if (length.toSeconds() >= 60) {
            assertThat(kills).isPositive();
            assertThat(cuts).isPositive();
            assertThat(pauses).isNotEmpty();
            assertThat(deadConnections + shortages).isPositive();
        }
    }

    private List<?> keysLeft() {
        return ((List<?>) redis.command("KEYS", "*"))
                .stream()
                        .filter(key -> !key.toString().endsWith(":fence")
                                && !key.toString().contains(":gone:"))
                        .toList();
    }

    private String summary() {
        Map<String, Long> outcomes = attempts.stream()
                .collect(Collectors.groupingBy(attempt -> String.valueOf(attempt.outcome()), Collectors.counting()));
        Map<String, Long> releases = turns.stream()
                .collect(Collectors.groupingBy(turn -> String.valueOf(turn.released()), Collectors.counting()));
        long longest = attempts.stream()
                .mapToLong(attempt -> attempt.endedAt() - attempt.calledAt())
                .max()
                .orElse(0);
        return "Attempts " + outcomes + ", releases " + releases + ", longest wait "
                + Duration.ofNanos(longest).toMillis() + " ms, kills " + kills + ", stops " + pauses.size() + ", cuts "
                + cuts + ", connections that died without a word " + deadConnections + ", times without memory "
                + shortages + ", delays " + delays;
    }
}
