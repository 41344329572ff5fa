package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.testing.RedisProcess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The owner key tells whether a plain SET may take the lock: it exists whenever somebody is inside, or somebody who lives waits. */
@Tag("server")
@Tag("boot4")
class OwnerKeyTest {

    private static final long LEASE = 20_000;
    private static final long LIVE_WINDOW = TestProcess.WINDOW.toMillis();

    private static final String OWNER = "distribution-lock:{order}";
    private static final String FENCE = OWNER + ":fence";
    private static final String QUEUE = OWNER + ":queue";
    private static final String PEERS = OWNER + ":peers";
    private static final String READERS = OWNER + ":readers";

    private final RedisProcess redis = RedisProcess.start();
    private final TestProcess a = new TestProcess(redis.port(), "host:a");
    private final TestProcess b = new TestProcess(redis.port(), "host:b");
    private final ScriptCalls calls = new ScriptCalls(TestProcess.settings("host:a"), "");

    /** The first commands connect. */
    @BeforeEach
    void connect() {
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
        assertThat(TestProcess.answer(b.port.isLocked("order"))).isFalse();
        redis.resetCalls();
    }

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    private boolean set(String claim, long leaseMillis) {
        return "OK".equals(redis.command("SET", OWNER, claim, "NX", "PX", String.valueOf(leaseMillis)));
    }

    private ReleaseReply releasePlain(String claim) {
        return run(calls.releasePlain("order", claim)) ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE;
    }

    private OptionalLong number(String claim) {
        return run(calls.number("order", claim, LEASE));
    }

    private <T> T run(ScriptCall<T> call) {
        List<String> words =
                new ArrayList<>(List.of("EVAL", text(call.script().text()), String.valueOf(call.keyCount())));
        call.parameters().forEach(parameter -> words.add(text(parameter)));
        Object answer = redis.command(words.toArray(String[]::new));
        return answer instanceof Long integer ? call.meaningOf(integer) : call.meaningOf(String.valueOf(answer));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String value() {
        return String.valueOf(redis.command("GET", OWNER));
    }

    private long life(String key) {
        return (Long) redis.command("PTTL", key);
    }

    @Test
    void aSetAndItsReleaseLeaveNothing() {
        assertThat(set("host:a:1", LEASE)).isTrue();
        assertThat(releasePlain("host:b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(releasePlain("host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(releasePlain("host:a:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat((List<?>) redis.command("KEYS", "*")).isEmpty();
    }

    @Test
    void thePlainReleaseLeavesALockThatOthersWaitForToTheFullOne() {
        set("host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        assertThat(releasePlain("host:a:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(value()).isEqualTo("host:b:1");
    }

    @Test
    void theGuardStandsFromTheFirstWaiterToTheLast() {
        set("host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);
        assertThat(value()).matches("host:a:1 \\d+");
        assertThat(life(OWNER)).isBetween(LEASE - 10_000, LEASE + LIVE_WINDOW);
        b.release("order", "host:b:1");
        assertThat(value()).matches("host:a:1 \\d+");

        b.release("order", "host:b:2");
        assertThat(value()).isEqualTo("host:a:1");
        assertThat(life(OWNER)).isBetween(LEASE - 10_000, LEASE);
    }

    @Test
    void aGuardNeverShortensALease() {
        for (int i = 0; i < 100; i++) {
            redis.command("DEL", OWNER, QUEUE, PEERS);
            redis.command("SET", OWNER, "host:a:1", "PXAT", "99999999999999");
            b.acquireBusy("order", "host:b:1", LEASE);
            assertThat(Long.parseLong(value().substring("host:a:1 ".length())))
                    .isGreaterThanOrEqualTo(99_999_999_999_999L);
        }
    }

    @Test
    void aGuardPastItsEndIsNobodys() {
        redis.command("SET", OWNER, "host:a:1 1000", "PX", "60000");
        assertNobodyInside("host:a:1");
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Ok.class);
        assertThat(value()).isEqualTo("host:b:1");
    }

    @Test
    void aMarkWithoutReadersIsNobodys() {
        redis.command("SET", OWNER, "readers", "PX", "60000");
        redis.command("ZADD", READERS, "1000", "host:a:r1");
        assertNobodyInside("host:a:r1");
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Ok.class);
        assertThat(value()).isEqualTo("host:b:1");
    }

    private void assertNobodyInside(String claim) {
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
        assertThat(TestProcess.answer(a.port.inspect("order")).inside()).isEmpty();
        assertThat(a.renew("order", claim, LEASE).held()).isFalse();
        assertThat(run(calls.renewReader(new Renewal("order", claim, LEASE)))).containsExactly(RedisRenewals.Word.GONE);
        assertThat(a.downgrade("order", claim)).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(releasePlain(claim)).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(a.release("order", claim)).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(number(claim)).isEmpty();
        assertThat(run(calls.inquire("order", ScriptDuties.NONE))).isZero();
        assertThat(TestProcess.answer(a.port.raiseFence("order", claim, 9, LEASE, 0)))
                .isEqualTo(RaiseFenceReply.NOT_MINE);
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isFalse();
        assertThat(redis.calls("publish")).isZero();
    }

    @Test
    void theScriptKnowsTheFirstCopyOfItsOwnSet() {
        long before = a.acquireOk("order", "host:a:1", LEASE).fence();
        a.release("order", "host:a:1");
        set("host:a:2", LEASE);

        long fence = a.acquireOk("order", "host:a:2", LEASE).fence();

        assertThat(fence).isGreaterThan(before);
        assertThat(a.acquireOk("order", "host:a:2", LEASE).fence()).isEqualTo(fence);
        b.acquireBusy("order", "host:b:1", LEASE);
        assertThat(a.acquireOk("order", "host:a:2", LEASE).fence()).isEqualTo(fence);
    }

    @Test
    void aQueuedClaimThatALateSetMadeTheOwnerLeavesTheQueue() {
        letALateSetRun();
        assertThat(beat("host:b:1")).isInstanceOf(AcquireReply.Ok.class);
        assertThat(value()).isEqualTo("host:b:1");
        assertThat(redis.command("EXISTS", QUEUE, PEERS)).isEqualTo(0L);
        redis.command("DEL", OWNER);

        letALateSetRun();
        assertThat(b.tombstone("order", "host:b:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", OWNER, QUEUE, PEERS)).isEqualTo(0L);
    }

    private void letALateSetRun() {
        set("host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("DEL", OWNER);
        assertThat(set("host:b:1", LEASE)).isTrue();
    }

    @Test
    void aGrantKeepsItsNumberWhenItIsConfirmed() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        a.release("order", "host:a:1");
        long fence = b.acquireOk("order", "host:b:1", LEASE).fence();
        assertThat(b.acquireOk("order", "host:b:1", LEASE).fence()).isEqualTo(fence);
        assertThat(number("host:b:1")).hasValue(fence);
    }

    @Test
    void aKeptLockIsGuardedUntilItsTimeIsOver() {
        set("host:a:1", LEASE);
        TestProcess.answer(a.port.release("order", "host:a:1", false, LEASE));
        assertThat(value()).matches("kept:host:a:1 \\d+");
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("SET", OWNER, "kept:host:a:1 1000", "PX", "60000"); // over

        assertThat(set("host:a:2", LEASE)).isFalse();
        assertThat(beat("host:b:1")).isInstanceOf(AcquireReply.Ok.class);
    }

    @Test
    void theReadersMarkLivesAsLongAsTheLastOfThem() {
        a.acquireOk("order", "host:a:r1", LEASE);
        assertMarked(LEASE);
        b.acquireOk("order", "host:b:r1", 3 * LEASE);
        assertMarked(3 * LEASE);
        a.acquireOk("order", "host:a:r2", LEASE);
        assertMarked(3 * LEASE);
        a.renew("order", "host:a:r1", 5 * LEASE);
        assertMarked(5 * LEASE);
        assertThat(run(calls.renewReader(new Renewal("order", "host:a:r1", 7 * LEASE))))
                .containsExactly(RedisRenewals.Word.HELD);
        assertMarked(7 * LEASE);
        a.acquireOk("order", "host:a:r1", 9 * LEASE);
        assertMarked(9 * LEASE);
        a.release("order", "host:a:r1");
        a.release("order", "host:a:r1");
        b.release("order", "host:b:r1");
        assertThat(value()).isEqualTo("readers");

        a.release("order", "host:a:r2");
        assertThat(redis.command("EXISTS", OWNER, READERS)).isEqualTo(0L);
    }

    @Test
    void aDowngradeLeavesAMark() {
        set("host:a:1", LEASE);
        assertThat(a.downgrade("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(a.downgrade("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertMarked(LEASE);
        assertThat(a.renew("order", "host:a:1", 2 * LEASE).held()).isTrue();
        assertMarked(2 * LEASE);
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Busy.class);
        b.acquireOk("order", "host:b:r2", LEASE);
        a.release("order", "host:a:1");
        assertThat(value()).isEqualTo("readers");
    }

    @Test
    void aDowngradeOfAGuardedOwnerLetsReadersInAndKeepsTheQueueGuarded() {
        set("host:a:1", LEASE);
        b.acquireBusy("order", "host:b:r1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);
        a.downgrade("order", "host:a:1");
        assertMarked(LEASE);
        assertThat(redis.command("ZCARD", READERS)).isEqualTo(2L);

        a.release("order", "host:a:1");
        b.release("order", "host:b:r1");
        assertThat(value()).isEqualTo("host:b:2");
    }

    @Test
    void readersThatAreReleasedByForceLeaveNoMark() {
        a.acquireOk("order", "host:a:r1", LEASE);
        b.acquireOk("order", "host:b:r1", LEASE);
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(redis.command("EXISTS", OWNER, READERS)).isEqualTo(0L);
    }

    @Test
    void aReaderThatKeepsTheLockKeepsTheMark() {
        a.acquireOk("order", "host:a:r1", LEASE);
        TestProcess.answer(a.port.release("order", "host:a:r1", false, LEASE / 2));
        assertThat(value()).isEqualTo("readers");
        assertThat(set("host:b:1", LEASE)).isFalse();
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(redis.command("EXISTS", OWNER, READERS)).isEqualTo(0L);
    }

    @Test
    void aReleaseOfNothingLeavesTheMark() {
        a.acquireOk("order", "host:a:r1", LEASE);
        assertThat(b.release("order", "host:b:r1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(b.tombstone("order", "host:b:2")).isEqualTo(ReleaseReply.NOT_MINE);
        b.acquireBusy("order", "host:b:3", LEASE);
        b.release("order", "host:b:3");
        assertMarked(LEASE);
        assertThat(redis.command("EXISTS", QUEUE, PEERS)).isEqualTo(0L);
    }

    @Test
    void aSetCannotOvertakeAWriterThatWaitsForReaders() {
        a.acquireOk("order", "host:a:r1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("ZADD", READERS, "1000", "host:a:r1"); // ended
        assertThat(set("host:a:2", LEASE)).isFalse();
        assertThat(beat("host:b:1")).isInstanceOf(AcquireReply.Ok.class);
    }

    private void assertMarked(long lease) {
        assertThat(value()).isEqualTo("readers");
        assertThat(life(READERS)).isBetween(lease - 10_000, lease);
        assertThat(life(OWNER)).isBetween(lease - 10_000 + LIVE_WINDOW, lease + LIVE_WINDOW);
    }

    @Test
    void aNumberIsDrawnOnceForAnOwnership() {
        set("host:a:1", LEASE);
        assertThat(redis.command("EXISTS", FENCE)).isEqualTo(0L);
        long before = serverMicros();
        long first = number("host:a:1").orElseThrow();
        assertThat(first).isBetween(before, serverMicros());
        assertThat(number("host:a:1")).hasValue(first);
        assertThat(life(FENCE)).isBetween(590_000L, 600_000L);
        a.release("order", "host:a:1");
        assertThat(number("host:a:1")).isEmpty();
    }

    @Test
    void aNumberIsDrawnWhileOthersWaitAndAfterADowngrade() {
        set("host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        long drawn = number("host:a:1").orElseThrow();
        assertThat(b.acquireBusy("order", "host:b:1", LEASE).fence()).isEqualTo(drawn);
        a.release("order", "host:a:1");
        assertThat(number("host:b:1").orElseThrow()).isGreaterThan(drawn);
        b.release("order", "host:b:1");

        set("host:a:2", LEASE);
        a.downgrade("order", "host:a:2");
        long reader = b.acquireOk("order", "host:b:r3", 100 * LEASE).fence();
        assertThat(number("host:a:2").orElseThrow()).isGreaterThan(reader);
        assertThat(life(FENCE)).isGreaterThan(100 * LEASE);
        assertThat(number("host:a:3")).isEmpty();
    }

    @Test
    void aNumberIsDrawnWhenMemoryIsFull() {
        set("host:a:1", LEASE);
        redis.command("CONFIG", "SET", "maxmemory", "1");
        assertThat(number("host:a:1")).isPresent();
    }

    private long serverMicros() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    private AcquireReply beat(String claim) {
        return TestProcess.answer(b.port.acquireAll("order", List.of(new Bidding(claim, LEASE))))
                .get(0);
    }
}
