package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * However many claims there are, one run of a script handles at most a hundred of them, so that Redis is never held up for long (E6);
 * the process that ran it goes on with the others, without a heartbeat.
 */
@Tag("server")
@Tag("boot4")
class BoundedScriptsTest {

    private static final long LEASE = 60_000;
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int MANY = 1_000;

    /** What handling one claim may cost, and what a run costs beside. */
    private static final long MAX_COMMANDS = 100 * 14 + 30;

    private static final String OWNER = "distribution-lock:{order}";
    private static final String FENCE = OWNER + ":fence";
    private static final String QUEUE = OWNER + ":queue";
    private static final String PEERS = OWNER + ":peers";
    private static final String READERS = OWNER + ":readers";
    private static final String[] KEYS = {OWNER, FENCE, QUEUE, PEERS, READERS};

    private static final String SETTINGS = "600000 60000 60000 300000 distribution-lock:wake:\norder";

    private final RedisProcess redis = RedisProcess.start();
    private final TestProcess a = new TestProcess(redis.port(), "host:a");
    private final TestProcess b = new TestProcess(redis.port(), "host:b");

    @BeforeEach
    void listen() {
        for (TestProcess process : List.of(a, b)) {
            process.port.listen();
            await().atMost(SOON).until(() -> process.told.listening.get() > 0);
        }
    }

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    @Test
    void aHundredPermitsAreGrantedInARunAndTheProcessGoesOn() {
        a.acquireOk("order", "host:a:p700-1", LEASE);
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 699; i++) {
            others.addAll(List.of("99999999999999", "host:c:p700-" + i));
        }
        redis.command(arguments("ZADD", others));
        letWait(":p700-");
        redis.command("ZREMRANGEBYSCORE", READERS, "99999999999999", "+inf");

        assertBounded(LockScript.RELEASE, "host:a:p700-1");
        assertThat(redis.command("ZCARD", READERS)).isEqualTo(100L);
        assertThat(b.release("order", "host:b:p700-" + (MANY - 1))).isEqualTo(ReleaseReply.NOT_MINE);
        awaitReaders(700);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(MANY - 700L - 1);
        assertThat(redis.command("GET", OWNER)).isEqualTo("permits");
    }

    private static String[] arguments(String command, List<String> arguments) {
        return Stream.concat(Stream.of(command, READERS), arguments.stream()).toArray(String[]::new);
    }

    @Test
    void aReaderWhoseTurnComesAndAHeartbeatLetInAHundred() {
        a.acquireOk("order", "host:a:1", LEASE);
        letReadersWait();
        endLease();

        assertThat(b.acquire("order", "host:b:r0", LEASE, true)).isInstanceOf(AcquireReply.Ok.class);
        awaitReaders(MANY);
    }

    @Test
    void aHeartbeatLetsEverybodyIn() {
        a.acquireOk("order", "host:a:1", LEASE);
        letReadersWait();
        endLease();

        List<AcquireReply> replies = TestProcess.answer(b.port.acquireAll(
                "order",
                IntStream.range(0, CommandPort.MAX_HEARTBEAT_ENTRIES)
                        .mapToObj(i -> new HeartbeatEntry("host:b:r" + i, LEASE))
                        .toList()));
        assertThat(replies).hasSize(CommandPort.MAX_HEARTBEAT_ENTRIES);
        awaitReaders(MANY);
    }

    /** As when Redis has lost its data: handling one costs less than letting one in. */
    @Test
    void allClaimsOfAHeartbeatGetTheirPlacesBackInARun() {
        a.acquireOk("order", "host:a:1", LEASE);
        List<HeartbeatEntry> lost = IntStream.range(0, CommandPort.MAX_HEARTBEAT_ENTRIES)
                .mapToObj(i -> new HeartbeatEntry("host:b:" + i, LEASE))
                .toList();
        TestProcess.answer(b.port.isLocked("order"));
        redis.resetCalls();

        assertThat(TestProcess.answer(b.port.acquireAll("order", lost)))
                .hasSize(CommandPort.MAX_HEARTBEAT_ENTRIES)
                .allSatisfy(reply -> assertThat(reply).isInstanceOf(AcquireReply.Busy.class));

        assertThat(redis.calls()).isLessThanOrEqualTo(MAX_COMMANDS);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo((long) CommandPort.MAX_HEARTBEAT_ENTRIES);
    }

    @Test
    void aHundredDeadClaimsAreDroppedInARunAndTheOneThatWaitsIsTold() {
        letDeadClaimsWait(10_000);

        assertBounded(
                LockScript.ACQUIRE,
                new String[] {OWNER, FENCE, QUEUE, PEERS, READERS, OWNER + ":gone:host:b:1"},
                "host:b:1",
                "60000",
                "wait");
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(10_000L - 100 + 1);

        AcquireReply reply = b.acquire("order", "host:b:1", LEASE, true);
        assertThat(reply).isInstanceOf(AcquireReply.Busy.class);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(b.told.granted)
                        .extracting(RecordingListener.Granted::claim)
                        .containsExactly("host:b:1"));
        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(redis.command("EXISTS", QUEUE, PEERS)).isEqualTo(0L);
    }

    @Test
    void anAttemptThatDoesNotWaitDropsDeadClaimsForTheNext() {
        letDeadClaimsWait(10_000);
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Busy.class);
        await().atMost(SOON).until(() -> redis.command("EXISTS", QUEUE).equals(0L));
        assertThat(b.acquire("order", "host:b:2", LEASE, false)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void readersThatEndedAreRemovedAHundredInARun() {
        a.acquireOk("order", "host:a:r1", LEASE);
        List<String> ended = new ArrayList<>(List.of("ZADD", READERS));
        for (int i = 0; i < MANY; i++) {
            ended.addAll(List.of("1000", "host:gone:r" + i));
        }
        redis.command(ended.toArray(String[]::new));

        assertThat(TestProcess.answer(a.port.isLocked("order"))).isTrue();
        assertBounded(LockScript.RELEASE, "host:a:r1");
        assertThat((Long) redis.command("ZCARD", READERS)).isGreaterThanOrEqualTo(MANY - 100L);
        // They keep nobody out.
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void aRunThatRemovesAHundredEndedReadersLeavesAdmittingToTheNext() {
        a.acquireOk("order", "host:a:r1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        for (int i = 0; i < 100; i++) {
            redis.command("ZADD", READERS, "1000", "host:gone:r" + i);
        }

        assertBounded(LockScript.RELEASE, "host:a:r1");
        assertThat(redis.command("EXISTS", READERS)).isEqualTo(0L);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo(1L);
        // A plain SET must not overtake the queue meanwhile.
        assertThat(redis.command("GET", OWNER)).isEqualTo("readers");
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
    }

    @Test
    void aReleaseByForceTellsAHundredReadersAndTheProcessGoesOn() {
        letReadersIn();

        assertBounded(
                LockScript.FORCE_RELEASE,
                IntStream.range(0, 100).mapToObj(i -> "host:b:r" + i).toArray(String[]::new));
        assertThat(redis.command("ZCARD", READERS)).isEqualTo(MANY - 100L);

        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
        await().atMost(SOON).untilAsserted(() -> assertThat(b.told.revoked).hasSize(MANY));
    }

    @Test
    void aReleaseByForceOfAHundredLeavesAdmittingToTheNextRun() {
        String[] inside = new String[100];
        for (int i = 0; i < inside.length; i++) {
            inside[i] = "host:a:p100-" + i;
            a.acquireOk("order", inside[i], LEASE);
        }
        letWait(":p100-");

        assertBounded(LockScript.FORCE_RELEASE, inside);
        assertThat(redis.command("EXISTS", READERS)).isEqualTo(0L);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo((long) MANY);

        assertThat(b.release("order", "host:b:p100-" + (MANY - 1))).isEqualTo(ReleaseReply.NOT_MINE);
        awaitReaders(100);
    }

    @Test
    void aReleaseByForceOfManyReadersHandsTheLockOver() {
        letReadersIn();
        a.acquireBusy("order", "host:a:1", LEASE);
        redis.command("HSET", PEERS, "host:a", "99999999999999");
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        await().atMost(SOON).until(() -> "host:a:1".equals(owner()));
    }

    @Test
    void whoEntersWhileManyAreReleasedByForceStays() {
        letIn(":p1000-");
        for (int i = 0; i < 50; i++) {
            a.acquireBusy("order", "host:a:p1000-" + i, LEASE);
        }
        redis.command("HSET", PEERS, "host:a", "99999999999999");
        assertThat(TestProcess.answer(b.port.forceRelease("order"))).isTrue();
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(b.told.revoked).hasSize(MANY);
            assertThat(a.told.granted).hasSize(50);
        });
        awaitReaders(50);
        assertThat(a.told.revoked).isEmpty();
    }

    @Test
    void thoseInsideAreNamedAHundredAtATimeWhateverTheirLeases() {
        for (IntFunction<String> ends : List.<IntFunction<String>>of(
                i -> "99999999999999", i -> String.valueOf(99999999990000L + i / 30), i -> i < 250 ? "1000" : "1e15")) {
            redis.command("DEL", READERS);
            redis.command("SET", OWNER, "readers");
            List<String> readers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                readers.addAll(List.of(ends.apply(i), "host:b:r" + i));
            }
            redis.command(arguments("ZADD", readers));
            assertThat(named(run -> {})).hasSize(ends.apply(0).equals("1000") ? MANY - 250 : MANY);
        }
    }

    /** Whatever happens between the runs: leases of one and the same ms are the case in which a place says little. */
    @Test
    void whoIsInsideAllTheTimeIsNamedAlthoughOthersLeaveAndRenew() {
        redis.command("SET", OWNER, "readers");
        List<String> readers = new ArrayList<>();
        List<String> stay = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            readers.addAll(List.of("99999999990000", "host:b:r" + i));
        }
        redis.command(arguments("ZADD", readers));
        for (int i = 0; i < MANY; i++) {
            if (i % 7 != 0) {
                stay.add("host:b:r" + i);
            }
        }
        Random random = new Random(1);
        assertThat(named(run -> {
                    for (int i = 0; i < 20; i++) {
                        String some = "host:b:r" + random.nextInt(MANY);
                        if (stay.contains(some)) {
                            redis.command("ZADD", READERS, "XX", "99999999990001", some);
                        } else {
                            redis.command("ZREM", READERS, some);
                        }
                    }
                }))
                .containsAll(stay);
    }

    private Set<String> named(IntConsumer between) {
        Set<String> named = new HashSet<>();
        String from = "";
        int run = 0;
        do {
            String answer =
                    (String) assertBounded(LockScript.HOLDERS, from.isEmpty() ? new String[0] : new String[] {from});
            List<String> lines = answer.lines().toList();
            assertThat(lines).hasSizeLessThanOrEqualTo(101);
            named.addAll(lines.subList(1, lines.size()));
            from = lines.get(0);
            between.accept(run++);
        } while (!from.isEmpty());
        return named;
    }

    @Test
    void manyProcessesThatWaitedAreForgottenByTheWay() {
        a.acquireOk("order", "host:a:1", LEASE);
        a.acquireBusy("order", "host:a:2", LEASE);
        List<String> peers = new ArrayList<>(List.of("HSET", PEERS));
        for (int i = 0; i < MANY; i++) {
            peers.addAll(List.of("host:peer" + i, "99999999999999"));
        }
        redis.command(peers.toArray(String[]::new));
        redis.resetCalls();
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", PEERS)).isEqualTo(0L);
        // Frees memory behind Redis's other work, where DEL would free it at once.
        assertThat(redis.calls("unlink")).isEqualTo(1);
        assertThat(redis.calls("del")).isEqualTo(0);
    }

    @Test
    void anInspectionListsALimitedNumberOfClaims() {
        letManyBe();
        LockInspection crowded = TestProcess.answer(a.port.inspect("order"));
        assertThat(crowded.inside()).hasSize(LockInspection.MAX_CLAIMS);
        assertThat(crowded.queue()).hasSize(LockInspection.MAX_CLAIMS);
        assertThat(crowded.waiting()).isEqualTo(MANY);
    }

    @Test
    void anOwnerProbeAsksForAHundredReaders() {
        letManyBe();
        redis.resetCalls();
        b.port.probeOwners("order");
        await().atMost(SOON).untilAsserted(() -> assertThat(b.told.probed).hasSize(100));
        assertThat(redis.calls("publish")).isEqualTo(100);
    }

    /** Many read, and many wait. */
    private void letManyBe() {
        redis.command("SET", OWNER, "readers");
        List<String> readers = new ArrayList<>(List.of("ZADD", READERS));
        List<String> queue = new ArrayList<>(List.of("ZADD", QUEUE));
        for (int i = 0; i < MANY; i++) {
            readers.addAll(List.of("99999999999999", "host:b:r" + i));
            queue.addAll(List.of(String.valueOf(i), "host:b:" + i));
        }
        redis.command(readers.toArray(String[]::new));
        redis.command(queue.toArray(String[]::new));
    }

    /** What the owner key says, without the end of a guarded lease. */
    private String owner() {
        return String.valueOf(redis.command("GET", OWNER)).replaceFirst(" \\d+$", "");
    }

    /** As when a guarded lease ends. */
    private void endLease() {
        redis.command("SET", OWNER, "host:z:1 1000", "PX", "3000");
    }

    private void letReadersWait() {
        letWait(":r");
    }

    private void letWait(String sort) {
        List<CompletableFuture<AcquireReply>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(b.port.acquire("order", "host:b" + sort + i, LEASE, true));
        }
        asked.forEach(TestProcess::answer);
        assertThat(redis.command("ZCARD", QUEUE)).isEqualTo((long) MANY);
        // On a busy machine more than a liveness timeout may have passed.
        redis.command("HSET", PEERS, "host:b", "99999999999999");
    }

    private void letReadersIn() {
        letIn(":r");
    }

    private void letIn(String sort) {
        List<CompletableFuture<AcquireReply>> asked = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            asked.add(b.port.acquire("order", "host:b" + sort + i, LEASE, true));
        }
        asked.forEach(TestProcess::answer);
        awaitReaders(MANY);
    }

    private void letDeadClaimsWait(int count) {
        List<String> dead = new ArrayList<>(List.of("ZADD", QUEUE));
        for (int i = 1; i <= count; i++) {
            dead.addAll(List.of(String.valueOf(i), "host:dead" + i % 7 + ":" + i));
        }
        redis.command(dead.toArray(String[]::new));
        redis.command("PEXPIRE", QUEUE, "30000");
        endLease();
    }

    private void awaitReaders(long count) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(redis.command("ZCARD", READERS)).isEqualTo(count));
    }

    private Object assertBounded(LockScript script, String... arguments) {
        return assertBounded(script, KEYS, arguments);
    }

    /** Runs a script once, past the port, and counts the commands inside. */
    private Object assertBounded(LockScript script, String[] keys, String... arguments) {
        List<String> words = new ArrayList<>(
                List.of("EVAL", new String(script.text(), StandardCharsets.UTF_8), String.valueOf(keys.length)));
        words.addAll(List.of(keys));
        words.addAll(List.of(script.label(), SETTINGS));
        words.addAll(List.of(arguments));
        redis.resetCalls();
        Object answer = redis.command(words.toArray(String[]::new));
        assertThat(redis.calls()).isLessThanOrEqualTo(MAX_COMMANDS);
        return answer;
    }
}
