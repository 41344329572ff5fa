package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When Redis has no memory left and may evict nothing, new locks are refused, and whoever has or waits for one goes on (E5). */
@Tag("server")
@Tag("boot4")
class FullMemoryTest {

    private static final long LEASE = 20_000;
    private static final String OWNER = "distribution-lock:{order}";
    private static final String QUEUE = OWNER + ":queue";
    private static final String READERS = OWNER + ":readers";

    private final RedisProcess redis = RedisProcess.start(RedisBinary.GIVEN, "--maxmemory-policy", "noeviction");
    private final TestProcess a = new TestProcess(redis.port(), "host:a");
    private final TestProcess b = new TestProcess(redis.port(), "host:b");

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    /** What the owner key says, without the end of a guarded lease. */
    private @Nullable String owner() {
        return redis.command("GET", OWNER) instanceof String value ? value.replaceFirst(" \\d+$", "") : null;
    }

    private void fillMemory() {
        redis.command("CONFIG", "SET", "maxmemory", "1");
    }

    @Test
    void newClaimsAreRefusedAndLeaveNothing() {
        a.acquireOk("taken", "host:a:1", LEASE);
        a.acquireOk("read", "host:a:r2", LEASE);
        Object[] before = ((List<?>) redis.command("KEYS", "*")).toArray();
        fillMemory();

        Stream.of(
                        b.port.acquire("order", "host:b:1", LEASE, true),
                        b.port.acquire("order", "host:b:2", LEASE, false),
                        b.port.acquire("order", "host:b:r3", LEASE, true),
                        b.port.acquire("order", "host:b:r4", LEASE, false),
                        b.port.acquire("taken", "host:b:5", LEASE, true),
                        b.port.acquire("taken", "host:b:r6", LEASE, true),
                        b.port.acquire("read", "host:b:7", LEASE, true),
                        b.port.acquire("read", "host:b:r8", LEASE, true),
                        b.port.acquire("read", "host:b:r9", LEASE, false))
                .forEach(FullMemoryTest::assertRefused);

        assertThat(((List<?>) redis.command("KEYS", "*")).toArray()).containsExactlyInAnyOrder(before);
    }

    private static void assertRefused(CompletableFuture<AcquireReply> acquire) {
        assertThatThrownBy(() -> acquire.get(15, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(BackendProblemException.class)
                .hasMessageContaining("Redis has no memory left for a lock");
    }

    @Test
    void anExclusiveLockIsRenewedAndReleased() {
        a.acquireOk("order", "host:a:1", LEASE);
        fillMemory();

        assertThat(a.acquire("order", "host:a:1", LEASE, true)).isInstanceOf(AcquireReply.Ok.class);
        assertThat(a.renew("order", "host:a:1", 3 * LEASE)).isEqualTo(new RenewReply(true, 0));
        assertThat((Long) redis.command("PTTL", OWNER)).isGreaterThan(2 * LEASE);
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", OWNER)).isEqualTo(0L);
    }

    @Test
    void aReaderIsRenewedAndReleased() {
        a.acquireOk("order", "host:a:r1", LEASE);
        fillMemory();

        assertThat(a.acquire("order", "host:a:r1", LEASE, true)).isInstanceOf(AcquireReply.Ok.class);
        assertThat(a.renew("order", "host:a:r1", 3 * LEASE)).isEqualTo(new RenewReply(true, 0));
        assertThat((Long) redis.command("PTTL", READERS)).isGreaterThan(2 * LEASE);
        assertThat(TestProcess.answer(a.port.inspect("order")).inside())
                .singleElement()
                .satisfies(inside -> assertThat(inside.leaseLeft().toMillis()).isGreaterThan(2 * LEASE));
        assertThat(a.release("order", "host:a:r1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", READERS)).isEqualTo(0L);
    }

    @Test
    void whoWaitsKeepsItsPlaceAndGetsTheLock() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);
        b.acquireBusy("order", "host:b:r3", LEASE);
        redis.command("PEXPIRE", QUEUE, "5000");
        fillMemory();

        b.acquireBusy("order", "host:b:1", LEASE);
        assertThat((Long) redis.command("PTTL", QUEUE)).isGreaterThan(5_000L);
        assertThat(beat()).hasSize(3).allSatisfy(reply -> assertThat(reply).isInstanceOf(AcquireReply.Busy.class));
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(owner()).isEqualTo("host:b:1");
        b.acquireOk("order", "host:b:1", LEASE);
        redis.command("DEL", OWNER);
        assertThat(beat().get(1)).isInstanceOf(AcquireReply.Ok.class);
        // The first stands behind the others now.
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:r3", "host:b:1"));
        assertThat(b.release("order", "host:b:r3")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(b.release("order", "host:b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
    }

    private List<AcquireReply> beat() {
        return TestProcess.answer(b.port.acquireAll(
                "order",
                Stream.of("host:b:1", "host:b:2", "host:b:r3")
                        .map(claim -> new Bidding(claim, LEASE))
                        .toList()));
    }

    @Test
    void whoLostItsPlaceGetsItBack() {
        a.acquireOk("order", "host:a:1", LEASE);
        for (String claim : List.of("host:b:1", "host:b:2", "host:b:r3")) {
            b.acquireBusy("order", claim, LEASE);
        }
        redis.command("ZREM", QUEUE, "host:b:2");
        fillMemory();

        assertThat(beat()).allSatisfy(reply -> assertThat(reply).isInstanceOf(AcquireReply.Busy.class));
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:1", "host:b:r3", "host:b:2"));
    }

    @Test
    void aReleaseWithATombstoneFreesAndIsRemembered() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        a.acquireOk("read", "host:a:r2", LEASE);
        fillMemory();

        assertThat(a.tombstone("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(a.tombstone("read", "host:a:r2")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", "distribution-lock:{read}:readers")).isEqualTo(0L);
        assertThat(a.tombstone("read", "host:a:3")).isEqualTo(ReleaseReply.NOT_MINE);

        for (String claim : List.of("order host:a:1", "read host:a:r2", "read host:a:3")) {
            String[] words = claim.split(" ");
            assertThat(a.acquire(words[0], words[1], LEASE, true)).isEqualTo(new AcquireReply.Gone());
        }
    }

    @Test
    void aReleaseThatKeepsTheLockForAWhileDoesSo() {
        a.acquireOk("order", "host:a:1", LEASE);
        a.acquireOk("read", "host:a:r2", LEASE);
        fillMemory();

        assertThat(TestProcess.answer(a.port.release("order", "host:a:1", false, LEASE / 2)))
                .isEqualTo(ReleaseReply.RELEASED);
        assertThat(owner()).isEqualTo("kept:host:a:1");
        assertThat((Long) redis.command("PTTL", OWNER)).isLessThanOrEqualTo(LEASE / 2 + TestProcess.WINDOW.toMillis());
        assertThat(TestProcess.answer(a.port.release("read", "host:a:r2", true, LEASE / 2)))
                .isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("ZRANGE", "distribution-lock:{read}:readers", "0", "-1"))
                .isEqualTo(List.of("kept:host:a:r2"));
    }

    @Test
    void anExclusiveLockBecomesAReadersAndLetsReadersIn() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:r1", LEASE);
        fillMemory();

        assertThat(TestProcess.answer(a.port.downgrade("order", "host:a:1"))).isEqualTo(ReleaseReply.RELEASED);
        assertThat((List<?>) redis.command("ZRANGE", READERS, "0", "-1")).hasSize(2);
    }

    @Test
    void operationsSeeAndFreeLocks() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        fillMemory();

        LockInspection seen = TestProcess.answer(a.port.inspect("order"));
        assertThat(seen.queue()).containsExactly("host:b:1");
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isTrue();
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
    }
}
