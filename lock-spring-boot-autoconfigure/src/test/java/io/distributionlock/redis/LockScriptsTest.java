package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What each script leaves in Redis. */
@Tag("server")
class LockScriptsTest {

    private static final long LEASE = 20_000;
    private static final long LIVE_WINDOW = TestProcess.WINDOW.toMillis();
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long TEN_MINUTES = Duration.ofMinutes(10).toMillis();
    private static final long FIVE_MINUTES = Duration.ofMinutes(5).toMillis();

    private static final String OWNER = "distribution-lock:{order}";
    private static final String FENCE = OWNER + ":fence";
    private static final String QUEUE = OWNER + ":queue";
    private static final String PEERS = OWNER + ":peers";
    private static final String READERS = OWNER + ":readers";

    private final RedisProcess redis = RedisProcess.start();
    private final TestProcess a = new TestProcess(redis.port(), "host:a");
    private final TestProcess b = new TestProcess(redis.port(), "host:b");

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    @Test
    void aFreeLockIsTakenAndOnlyTheFenceOutlivesIt() {
        long before = serverMicros();
        AcquireReply.Ok ok = a.acquireOk("order", "host:a:1", LEASE);

        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
        assertThat(redis.command("TYPE", OWNER)).isEqualTo("string");
        assertThat(owner()).isEqualTo("host:a:1");
        assertLife(OWNER, LEASE);
        assertThat(redis.command("GET", FENCE)).isEqualTo(ok.fence() + " host:a:1");
        assertLife(FENCE, TEN_MINUTES);
        assertThat(ok.fence()).isBetween(before, serverMicros());
        assertThat(ok.waiting()).isZero();

        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(keys()).containsExactly(FENCE);
    }

    @Test
    void anInspectionTellsWhoIsInsideAndWhoWaitsAndChangesNothing() {
        LockInspection free = TestProcess.answer(a.port.inspect("order"));
        assertThat(free).isEqualTo(new LockInspection("order", List.of(), List.of(), 0, 0));

        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();
        b.acquireBusy("order", "host:b:1", LEASE);
        a.acquireBusy("order", "host:a:r2", LEASE);
        List<String> before = keys();
        LockInspection held = TestProcess.answer(b.port.inspect("order"));

        assertThat(held.inside()).singleElement().satisfies(inside -> {
            assertThat(inside.claim()).isEqualTo("host:a:1");
            assertThat(inside.reads()).isFalse();
            assertThat(inside.kept()).isFalse();
            assertThat(inside.leaseLeft()).isBetween(Duration.ofMillis(LEASE / 2), Duration.ofMillis(LEASE));
        });
        assertThat(held.queue()).containsExactly("host:b:1", "host:a:r2");
        assertThat(held.waiting()).isEqualTo(2);
        assertThat(held.lastFence()).isEqualTo(fence);
        assertThat(keys()).isEqualTo(before);
    }

    @Test
    void anInspectionTellsOfReadersAndOfALockThatIsOnlyKept() {
        a.acquireOk("order", "host:a:r1", LEASE);
        b.acquireOk("order", "host:b:r1", LEASE);
        redis.command("ZADD", READERS, "1000", "host:b:r2"); // ended
        LockInspection read = TestProcess.answer(a.port.inspect("order"));
        assertThat(read.inside())
                .allSatisfy(inside -> assertThat(inside.reads()).isTrue())
                .allSatisfy(inside -> assertThat(inside.leaseLeft())
                        .isBetween(Duration.ofMillis(LEASE / 2), Duration.ofMillis(LEASE)))
                .extracting(LockInspection.Inside::claim)
                .containsExactlyInAnyOrder("host:a:r1", "host:b:r1");

        a.acquireOk("job", "host:a:2", LEASE);
        TestProcess.answer(a.port.release("job", "host:a:2", false, LEASE));
        assertThat(TestProcess.answer(a.port.inspect("job")).inside())
                .singleElement()
                .satisfies(inside -> {
                    assertThat(inside.claim()).isEqualTo("host:a:2");
                    assertThat(inside.kept()).isTrue();
                });
    }

    @Test
    void anInspectionListsALimitedNumberOfClaims() {
        redis.command("SET", OWNER, "readers");
        for (int i = 0; i <= LockInspection.MOST_CLAIMS; i++) {
            redis.command("ZADD", READERS, "99999999999999", "host:a:r" + i);
            redis.command("ZADD", QUEUE, String.valueOf(i), "host:b:" + i);
        }
        LockInspection crowded = TestProcess.answer(a.port.inspect("order"));
        assertThat(crowded.inside()).hasSize(LockInspection.MOST_CLAIMS);
        assertThat(crowded.queue()).hasSize(LockInspection.MOST_CLAIMS);
        assertThat(crowded.waiting()).isEqualTo(LockInspection.MOST_CLAIMS + 1);
    }

    @Test
    void anUncontendedLockAndUnlockAreTwoCommandsAndNoMessage() {
        for (int i = 0; i < 2; i++) { // the first time, Redis must be told the scripts
            redis.resetCalls();
            a.acquireOk("order", "host:a:" + i, LEASE);
            a.release("order", "host:a:" + i);
        }

        assertThat(redis.calls("evalsha")).isEqualTo(2);
        assertThat(redis.calls("eval")).isZero();
        assertThat(redis.calls("publish")).isZero();
        assertThat(redis.calls("ping") + redis.calls("script|load")).isZero();
    }

    /** E9. */
    @Test
    void theFenceOutlivesEveryLeaseByFiveMinutes() {
        long hours = Duration.ofHours(6).toMillis();
        a.acquireOk("order", "host:a:1", hours);
        assertLife(FENCE, hours + FIVE_MINUTES);

        b.acquireBusy("order", "host:b:1", LEASE);
        a.renew("order", "host:a:1", LEASE);
        assertLife(FENCE, hours + FIVE_MINUTES);
        assertGuarded(hours);
        a.renew("order", "host:a:1", 2 * hours);
        assertLife(FENCE, 2 * hours + FIVE_MINUTES);
    }

    @Test
    void aShortLeaseDoesNotShortenTheLifeOfTheFenceForOtherReaders() {
        long hours = Duration.ofHours(6).toMillis();
        a.acquireOk("order", "host:a:r1", hours);
        b.acquireOk("order", "host:b:r1", LEASE);
        b.acquireOk("order", "host:b:r1", LEASE);
        assertLife(FENCE, hours + FIVE_MINUTES);
    }

    @Test
    void aReaderThatAsksAgainWhenTheFenceIsGoneGetsANewOne() {
        long fence = a.acquireOk("order", "host:a:r1", LEASE).fence();
        redis.command("DEL", FENCE);
        assertThat(a.acquireOk("order", "host:a:r1", LEASE).fence()).isGreaterThan(fence);
        assertLife(FENCE, TEN_MINUTES);
    }

    @Test
    void everyOwnershipHasAGreaterFence() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            long fence = a.acquireOk("order", "host:a:" + i, LEASE).fence();
            assertThat(fence).isGreaterThan(last);
            last = fence;
            a.release("order", "host:a:" + i);
        }
    }

    @Test
    void theFenceGrowsAlsoWhenTheClockOfTheServerIsBehind() {
        long future = serverMicros() + 3_600_000_000L;
        redis.command("SET", FENCE, String.valueOf(future));

        assertThat(a.acquireOk("order", "host:a:1", LEASE).fence()).isEqualTo(future + 1);
        assertThat(storedFence()).isEqualTo(future + 1);
    }

    @Test
    void theFenceGrowsOverALossOfAllData() {
        long before = a.acquireOk("order", "host:a:1", LEASE).fence();
        redis.command("FLUSHALL");
        assertThat(b.acquireOk("order", "host:b:1", LEASE).fence()).isGreaterThan(before);
    }

    @Test
    void aBusyAnswerTellsTheLeaseLeftAndTheFence() {
        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();

        AcquireReply.Busy busy = b.acquireBusy("order", "host:b:1", LEASE);

        assertThat(busy.fence()).isEqualTo(fence);
        assertThat(busy.leaseLeftMillis()).isBetween(LEASE - 10_000, LEASE);
        assertLife(QUEUE, 30_000);
    }

    @Test
    void aBusyAnswerTellsWhenTheLastReaderEnds() {
        a.acquireOk("order", "host:a:r1", 3 * LEASE);
        a.acquireOk("order", "host:a:r2", LEASE);

        assertThat(b.acquireBusy("order", "host:b:1", LEASE).leaseLeftMillis()).isBetween(2 * LEASE, 3 * LEASE);
        assertLife(READERS, 3 * LEASE);
    }

    @Test
    void neitherARepeatedAcquireNorARenewalShortensTheLeaseOfAReader() {
        a.acquireOk("order", "host:a:r1", 3 * LEASE);
        a.acquireOk("order", "host:a:r1", LEASE);
        assertThat(b.acquireBusy("order", "host:b:1", LEASE).leaseLeftMillis()).isGreaterThan(2 * LEASE);
        assertThat(a.renew("order", "host:a:r1", LEASE).held()).isTrue();
        assertThat(b.acquireBusy("order", "host:b:1", LEASE).leaseLeftMillis()).isGreaterThan(2 * LEASE);
    }

    @Test
    void anOwnerWithoutAnExpiryIsBusyForALongTime() {
        redis.command("SET", OWNER, "somebody");
        assertThat(a.acquireBusy("order", "host:a:1", LEASE).leaseLeftMillis()).isGreaterThan(LEASE);
        assertThat(a.acquireBusy("order", "host:a:1", LEASE).fence()).isZero();
    }

    @Test
    void anAttemptThatDoesNotWaitLeavesNothing() {
        a.acquireOk("order", "host:a:1", LEASE);
        assertThat(b.acquire("order", "host:b:1", LEASE, false)).isInstanceOf(AcquireReply.Busy.class);
        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
    }

    @Test
    void waitersQueueInOrderOfArrivalAndKeepTheirPlaces() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        a.acquireBusy("order", "host:a:2", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);

        assertThat(redis.command("TYPE", QUEUE)).isEqualTo("zset");
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:1", "host:a:2", "host:b:2"));
        assertThat(ticket("host:b:2")).isBetween(serverMicros() - 7_000_000, serverMicros());
        assertLife(QUEUE, 30_000);
        // The ticket shows that the process of a new claim lives.
        assertThat(redis.command("TYPE", PEERS)).isEqualTo("hash");
        assertThat(peers().keySet()).containsExactly("host:b");
        long now = serverMicros() / 1000;
        assertThat(peers().values()).allSatisfy(until -> assertThat(until).isBetween(now - 7_000, now + LIVE_WINDOW));
        assertLife(PEERS, 30_000);
    }

    @Test
    void releaseMakesTheFirstWaiterTheOwnerAndTellsIt() {
        listen(a, b);
        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();
        b.acquireBusy("order", "host:b:1", LEASE);
        a.acquireBusy("order", "host:a:2", LEASE);

        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);

        assertThat(owner()).isEqualTo("host:b:1");
        assertGuarded(LIVE_WINDOW);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:a:2"));
        long granted = storedFence();
        assertThat(granted).isGreaterThan(fence);
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(b.told.granted).containsExactly(new RecordingListener.Granted("order", "host:b:1")));
        assertThat(a.told.granted).isEmpty();
        assertThat(redis.calls("publish")).isEqualTo(1);

        AcquireReply.Ok confirmed = b.acquireOk("order", "host:b:1", LEASE);
        assertThat(confirmed).isEqualTo(new AcquireReply.Ok(granted, 1));
        assertGuarded(LEASE);
    }

    @Test
    void theLastWaiterToGetTheLockLeavesNoQueueBehind() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        a.release("order", "host:a:1");
        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
    }

    @Test
    void aWaiterThatLeavesTakesItsPlaceWithItAndTheLastOneTheQueue() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);

        assertThat(b.release("order", "host:b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:2"));
        assertThat(b.release("order", "host:b:2")).isEqualTo(ReleaseReply.NOT_MINE);

        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
        assertThat(owner()).isEqualTo("host:a:1");
    }

    @Test
    void onlyTheOwnerReleasesAndRenews() {
        a.acquireOk("order", "host:a:1", LEASE);

        assertThat(b.release("order", "host:b:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(b.renew("order", "host:b:1", 90_000)).isEqualTo(new RenewReply(false, 0));

        assertThat(owner()).isEqualTo("host:a:1");
        assertLife(OWNER, LEASE);
    }

    @Test
    void anAcquireThatRunsTwiceChangesNothing() {
        AcquireReply first = a.acquire("order", "host:a:1", LEASE, true);
        AcquireReply second = a.acquire("order", "host:a:1", LEASE, true);

        assertThat(second).isEqualTo(first);
        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
    }

    @Test
    void anAcquireNeverShortensTheLeaseOfItsOwnLock() {
        a.acquireOk("order", "host:a:1", 60_000);
        a.acquireOk("order", "host:a:1", LEASE);
        assertLife(OWNER, 60_000);
    }

    @Test
    void renewProlongsTellsTheWaitersAndNeverShortens() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);

        assertThat(a.renew("order", "host:a:1", 60_000)).isEqualTo(new RenewReply(true, 1));
        assertGuarded(60_000);
        assertThat(a.renew("order", "host:a:1", LEASE)).isEqualTo(new RenewReply(true, 1));
        assertGuarded(60_000);
    }

    @Test
    void renewForNoTimeOnlyAsks() {
        a.acquireOk("order", "host:a:1", LEASE);
        redis.command("PEXPIRE", FENCE, "1000000");
        redis.resetCalls();

        assertThat(a.renew("order", "host:a:1", 0)).isEqualTo(new RenewReply(true, 0));
        assertThat(a.renew("order", "host:a:2", 0)).isEqualTo(new RenewReply(false, 0));

        assertThat(redis.calls("pexpire")).isZero();
        assertLife(OWNER, LEASE);
        assertLife(FENCE, 1_000_000);
    }

    @Test
    void aTombstoneAlsoFreesTheLock() {
        a.acquireOk("order", "host:a:1", LEASE);
        assertThat(a.tombstone("order", "host:a:1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(keys()).containsExactlyInAnyOrder(FENCE, OWNER + ":gone:host:a:1");
        assertThat(a.acquire("order", "host:a:1", LEASE, true)).isEqualTo(new AcquireReply.Gone());
    }

    @Test
    void aKeptLockIsNobodysUntilItsTimeIsOver() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);

        assertThat(TestProcess.answer(a.port.release("order", "host:a:1", false, LEASE)))
                .isEqualTo(ReleaseReply.RELEASED);

        assertThat(owner()).isEqualTo("kept:host:a:1");
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.NOT_MINE);
        assertThat(a.renew("order", "host:a:1", LEASE).held()).isFalse();
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isTrue();
        assertThat(b.acquireBusy("order", "host:b:1", LEASE).leaseLeftMillis()).isBetween(LEASE - 10_000, LEASE);
        redis.command("SET", OWNER, "kept:host:a:1 1000", "PX", String.valueOf(LIVE_WINDOW)); // over
        b.acquireOk("order", "host:b:1", LEASE);
    }

    @Test
    void theOrderAndWhoLivesSurviveAClockThatStepsBack() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        long ahead = serverMicros() + 3_600_000_000L;
        redis.command("ZADD", QUEUE, String.valueOf(ahead), "host:b:1");
        a.acquireBusy("order", "host:a:2", LEASE);
        assertThat(ticket("host:a:2")).isEqualTo(ahead + 1);
        redis.command("HSET", PEERS, "host:a", "1");

        a.release("order", "host:a:1");
        assertThat(owner()).isEqualTo("host:b:1");

        b.release("order", "host:b:1");
        assertThat(keys()).containsExactly(FENCE);
    }

    /** As if the clock had stepped back by a second since the claim was queued, and the process had waited long before. */
    @Test
    void aNewClaimLivesDespiteAnOldHeartbeatIfTheClockStepsBackALittle() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("ZADD", QUEUE, String.valueOf(serverMicros() + 1_000_000), "host:b:1");
        redis.command("HSET", PEERS, "host:b", "1");

        a.release("order", "host:a:1");
        assertThat(owner()).isEqualTo("host:b:1");
    }

    @Test
    void whoWaitsLongerThanTheLiveWindowLivesByItsHeartbeats() {
        a.acquireOk("order", "host:a:1", LEASE);
        for (String claim : List.of("host:b:1", "host:b:2", "host:b:3")) {
            b.acquireBusy("order", claim, LEASE);
        }
        redis.command("ZADD", QUEUE, "1", "host:b:1", "2", "host:b:2", "3", "host:b:3");
        b.acquireBusy("order", "host:b:3", LEASE);
        assertThat(beat("host:b:1", "host:b:2")).hasSize(2);

        a.release("order", "host:a:1");
        assertThat(owner()).isEqualTo("host:b:1");
        b.release("order", "host:b:1");
        assertThat(owner()).isEqualTo("host:b:2");

        redis.command("HSET", PEERS, "host:b", "1");
        b.release("order", "host:b:2");
        assertThat(keys()).containsExactly(FENCE);
    }

    @Test
    void deadWaitersAreDroppedAndTheFirstLiveOneGetsTheLock() {
        a.acquireOk("order", "host:a:1", LEASE);
        for (int i = 0; i < 50; i++) {
            redis.command("ZADD", QUEUE, String.valueOf(i), "host:dead:" + i);
        }
        redis.command("HSET", PEERS, "host:dead", String.valueOf(serverMicros() / 1000));
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);

        a.release("order", "host:a:1");

        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:2"));
        assertThat(peers()).isEmpty();
    }

    @Test
    void aLockIsFreeWhenOnlyTheDeadWaitForIt() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("ZADD", QUEUE, "1", "host:b:1");

        a.release("order", "host:a:1");

        assertThat(keys()).containsExactly(FENCE);
        assertThat(redis.calls("publish")).isZero();
    }

    @Test
    void aNewcomerDoesNotOvertakeALiveWaiterWhenTheLeaseHasEnded() {
        listen(b);
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        endLease();

        AcquireReply.Busy busy = a.acquireBusy("order", "host:a:2", LEASE);

        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(busy.fence()).isEqualTo(storedFence());
        assertThat(busy.leaseLeftMillis()).isBetween(0L, LIVE_WINDOW);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:a:2"));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(b.told.granted).containsExactly(new RecordingListener.Granted("order", "host:b:1")));
    }

    @Test
    void anAttemptWithoutWaitingDoesNotOvertakeEither() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        endLease();

        assertThat(a.acquire("order", "host:a:2", LEASE, false)).isInstanceOf(AcquireReply.Busy.class);

        assertThat(owner()).isEqualTo("host:b:1");
        assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
    }

    @Test
    void nobodyEntersBeforeALeaseIsOverByTheClockOfItsHolder() {
        for (String claim : List.of("host:a:1", "host:a:r1")) {
            for (int i = 0; i < 150; i++) {
                String name = "order" + i + claim.replace(':', '-');
                long sentAt = System.nanoTime();
                a.acquireOk(name, claim, 5);
                AcquireReply next = b.acquire(name, "host:b:1", LEASE, false);
                while (!(next instanceof AcquireReply.Ok)) {
                    next = b.acquire(name, "host:b:1", LEASE, false);
                }

                assertThat(Duration.ofNanos(System.nanoTime() - sentAt))
                        .as("time of %s, which asked for 5 ms", claim)
                        .isGreaterThanOrEqualTo(Duration.ofMillis(5));
            }
        }
    }

    @Test
    void theFirstInTheQueueTakesALockWhoseLeaseHasEnded() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        a.acquireBusy("order", "host:a:2", LEASE);
        endLease();

        assertThat(b.acquireOk("order", "host:b:1", LEASE).waiting()).isEqualTo(1);

        assertGuarded(LEASE);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:a:2"));
    }

    @Test
    void aProcessThatPausedKeepsItsOwnPlace() {
        try (TestProcess brief = new TestProcess(redis.port(), "host:c", TestProcess.window(Duration.ofMillis(1)))) {
            a.acquireOk("order", "host:a:1", LEASE);
            brief.acquireBusy("order", "host:c:1", LEASE);
            redis.command("ZADD", QUEUE, "1", "host:c:1");
            endLease();

            assertThat(brief.acquire("order", "host:c:1", LEASE, true)).isInstanceOf(AcquireReply.Ok.class);
            assertThat(keys()).containsExactlyInAnyOrder(OWNER, FENCE);
        }
    }

    @Test
    void aWaiterThatLostItsPlaceJoinsAgainAtTheTail() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("ZREM", QUEUE, "host:b:1");
        a.acquireBusy("order", "host:a:2", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);

        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:a:2", "host:b:1"));
    }

    @Test
    void anOwnerWhoseFenceIsGoneGetsANewOne() {
        a.acquireOk("order", "host:a:1", LEASE);
        redis.command("DEL", FENCE);
        assertThat(a.acquireOk("order", "host:a:1", LEASE).fence()).isEqualTo(storedFence());
    }

    /** E8. */
    @Test
    void aHeartbeatOfManyClaimsThatWaitCostsAFewCommands() {
        a.acquireOk("order", "host:a:1", LEASE);
        String[] claims = IntStream.range(0, 250).mapToObj(i -> "host:b:" + i).toArray(String[]::new);
        for (String claim : claims) {
            b.acquireBusy("order", claim, LEASE);
        }
        redis.command("PEXPIRE", QUEUE, "5000");
        redis.command("PEXPIRE", PEERS, "5000");
        beat(claims); // the first time, Redis must be told the script
        redis.command("HSET", PEERS, "host:b", "1");
        redis.resetCalls();

        List<AcquireReply> replies = beat(claims);

        assertThat(redis.calls()).isLessThan(10);
        assertThat(replies)
                .hasSize(250)
                .allSatisfy(reply -> assertThat(reply).isInstanceOfSatisfying(AcquireReply.Busy.class, busy -> {
                    assertThat(busy.fence()).isEqualTo(storedFence());
                    assertThat(busy.leaseLeftMillis()).isBetween(1L, LEASE);
                }));
        assertLife(QUEUE, 30_000);
        assertThat((Long) redis.command("PTTL", PEERS)).isGreaterThan(5_000);
        assertThat(peers().get("host:b")).isGreaterThan(1);
    }

    @Test
    void aHeartbeatBringsBackWhatLostItsPlaceInOrder() {
        a.acquireOk("order", "host:a:1", LEASE);
        String[] claims = {"host:b:1", "host:b:r2", "host:b:3"};
        for (String claim : claims) {
            b.acquireBusy("order", claim, LEASE);
        }
        redis.command("ZREM", QUEUE, "host:b:1");
        assertThat(beat(claims)).allSatisfy(reply -> assertThat(reply).isInstanceOf(AcquireReply.Busy.class));
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:r2", "host:b:3", "host:b:1"));

        redis.command("DEL", QUEUE, PEERS);
        beat(claims);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of(claims));
        assertLife(QUEUE, 30_000);
    }

    @Test
    void aHeartbeatLetsInWhoeverMayEnterAndSaysSo() {
        a.acquireOk("order", "host:a:1", LEASE);
        String[] claims = {"host:b:r1", "host:b:r2", "host:b:3"};
        for (String claim : claims) {
            b.acquireBusy("order", claim, LEASE);
        }
        endLease();

        List<AcquireReply> replies = beat(claims);

        assertThat(replies.subList(0, 2)).allSatisfy(reply -> assertThat(reply).isInstanceOf(AcquireReply.Ok.class));
        assertThat(replies.get(2)).isInstanceOf(AcquireReply.Busy.class);
        assertLife(READERS, LEASE);
    }

    @Test
    void aHeartbeatThatComesAfterABurialBringsNothingBack() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        b.acquireBusy("order", "host:b:2", LEASE);
        b.tombstone("order", "host:b:1");

        List<AcquireReply> replies = beat("host:b:1", "host:b:2");

        assertThat(replies.get(0)).isEqualTo(new AcquireReply.Gone());
        assertThat(replies.get(1)).isInstanceOf(AcquireReply.Busy.class);
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:2"));
    }

    @Test
    void eachClaimOfAHeartbeatHasATombstoneOfItsOwn() {
        a.acquireOk("order", "host:a:1", LEASE);
        b.tombstone("order", "host:b:2");

        List<AcquireReply> replies = beat("host:b:1", "host:b:2", "host:b:3");

        assertThat(replies.get(1)).isEqualTo(new AcquireReply.Gone());
        assertThat(redis.command("ZRANGE", QUEUE, "0", "-1")).isEqualTo(List.of("host:b:1", "host:b:3"));
    }

    private List<AcquireReply> beat(String... claims) {
        return TestProcess.answer(b.port.acquireAll(
                "order",
                Stream.of(claims).map(claim -> new Bidding(claim, LEASE)).toList()));
    }

    @Test
    void isLockedAsksWhetherAnybodyHoldsTheLock() {
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isFalse();
        b.acquireOk("order", "host:b:1", LEASE);
        assertThat(TestProcess.answer(a.port.isLocked("order"))).isTrue();
    }

    @Test
    void aReleaseByForceTellsTheOwnerAndHandsTheLockOver() {
        listen(a, b);
        a.acquireOk("order", "host:a:1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);

        assertThat(TestProcess.answer(b.port.forceRelease("order"))).isTrue();

        assertThat(owner()).isEqualTo("host:b:1");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(a.told.revoked).containsExactly(new RecordingListener.Revoked("order", "host:a:1")));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(b.told.granted).containsExactly(new RecordingListener.Granted("order", "host:b:1")));
        assertThat(a.release("order", "host:a:1")).isEqualTo(ReleaseReply.NOT_MINE);
    }

    @Test
    void aReleaseByForceFreesAKeptLockAndLeavesAFreeOneAlone() {
        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isFalse();
        assertThat(keys()).isEmpty();
        a.acquireOk("order", "host:a:1", LEASE);
        TestProcess.answer(a.port.release("order", "host:a:1", false, LEASE));

        assertThat(TestProcess.answer(a.port.forceRelease("order"))).isTrue();
        assertThat(keys()).containsExactly(FENCE);
        assertThat(redis.calls("publish")).isZero();
    }

    @Test
    void whateverANameHoldsComesThrough() {
        listen(a, b);
        List<String> names = List.of(
                "two\nlines\r\n",
                "zero\0byte",
                "granted\nhost:b:1\nother",
                "600000 3000 3000 30000 300000 channel\nother",
                "whole \uD83D\uDD12",
                "100 %, %25, {braces}, %uD83D",
                " ",
                "n".repeat(65_536),
                "单".repeat(20_000));
        for (String name : names) {
            a.acquireOk(name, "host:a:1", LEASE);
            b.acquireBusy(name, "host:b:1", LEASE);
            a.release(name, "host:a:1");
            b.renew(name, "host:b:1", LEASE);
            assertThat(TestProcess.answer(a.port.forceRelease(name))).isTrue();
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(b.told.revoked)
                        .extracting(RecordingListener.Revoked::name)
                        .isEqualTo(names));
        assertThat(b.told.granted).extracting(RecordingListener.Granted::name).isEqualTo(names);
    }

    /** What a stale master that became a replica answers is no answer; the client asks again, elsewhere. */
    @Test
    void aReplicaTakesNothingAndSaysSo() {
        a.acquireOk("order", "host:a:1", LEASE);
        a.acquireOk("read", "host:a:r1", LEASE);
        b.acquireBusy("order", "host:b:1", LEASE);
        redis.command("REPLICAOF", "127.0.0.1", "1");

        Stream.of(
                        a.port.acquire("free", "host:a:2", LEASE, true),
                        a.port.acquire("free", "host:a:r2", LEASE, false),
                        a.port.acquire("order", "host:a:1", LEASE, true),
                        a.port.acquire("order", "host:a:3", LEASE, true),
                        b.port.acquire("order", "host:b:1", LEASE, true),
                        a.port.acquire("read", "host:a:r1", LEASE, true),
                        a.port.acquireAll("order", List.of(new Bidding("host:b:1", LEASE))),
                        a.port.acquireAll("none", List.of(new Bidding("host:b:1", LEASE))),
                        a.port.release("order", "host:a:1", false, 0),
                        a.port.release("order", "host:a:9", false, 0),
                        a.port.release("read", "host:a:r1", false, 0),
                        a.port.release("read", "host:a:r9", true, 0),
                        a.port.downgrade("order", "host:a:1"))
                .forEach(answer -> assertThatThrownBy(() -> answer.get(15, TimeUnit.SECONDS))
                        .hasRootCauseInstanceOf(TryAgainException.class));
    }

    @Test
    void anInquiryAsksTheProcessOfTheOwnerAndChangesNothing() {
        listen(a, b);
        a.acquireOk("order", "host:a:1", LEASE);
        List<String> before = keys();
        b.port.inquire("order");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(a.told.asked).containsExactly(new RecordingListener.Asked("order", "host:a:1")));
        assertThat(keys()).isEqualTo(before);
        assertThat(b.told.asked).isEmpty();
    }

    @Test
    void anInquiryAsksForEachReaderAndForNobodyWhereALockIsFreeOrOnlyKept() {
        listen(a, b);
        a.acquireOk("order", "host:a:r1", LEASE);
        b.acquireOk("order", "host:b:r1", LEASE);
        redis.command("ZADD", READERS, "1000", "host:b:r2"); // ended
        a.acquireOk("job", "host:a:2", LEASE);
        TestProcess.answer(a.port.release("job", "host:a:2", false, LEASE));
        b.port.inquire("free");
        b.port.inquire("job");
        b.port.inquire("order");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(a.told.asked).containsExactly(new RecordingListener.Asked("order", "host:a:r1")));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(b.told.asked).containsExactly(new RecordingListener.Asked("order", "host:b:r1")));
        assertThat(redis.calls("publish")).isEqualTo(2);
    }

    @Test
    void anInquiryAsksForAHundredReaders() {
        listen(b);
        redis.command("SET", OWNER, "readers");
        for (int i = 0; i < 101; i++) {
            redis.command("ZADD", READERS, "99999999999999", "host:b:r" + i);
        }
        b.port.inquire("order");
        await().atMost(SOON).untilAsserted(() -> assertThat(b.told.asked).hasSize(100));
        assertThat(redis.calls("publish")).isEqualTo(100);
    }

    @Test
    void onlyTheOwnerRaisesTheFenceAndNobodyLowersIt() {
        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();
        assertThat(raise("host:b:1", fence + 9, 0)).isEqualTo(RaiseFenceReply.NOT_MINE);
        assertThat(raise("host:a:1", fence - 1, 0)).isEqualTo(RaiseFenceReply.RAISED);
        assertThat(storedFence()).isEqualTo(fence);

        assertThat(raise("host:a:1", fence + 9, 0)).isEqualTo(RaiseFenceReply.RAISED);
        assertThat(storedFence()).isEqualTo(fence + 9);
        assertLife(FENCE, TEN_MINUTES);
    }

    @Test
    void aServerThatIsUpForTooShortATimeRaisesNoFence() {
        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();
        assertThat(raise("host:a:1", fence + 9, 86_400)).isEqualTo(RaiseFenceReply.TOO_YOUNG);
        assertThat(storedFence()).isEqualTo(fence);
        await().atMost(SOON).until(() -> raise("host:a:1", fence + 9, 1) == RaiseFenceReply.RAISED);
    }

    private RaiseFenceReply raise(String claim, long fence, long leastUptimeSeconds) {
        return TestProcess.answer(a.port.raiseFence("order", claim, fence, LEASE, leastUptimeSeconds));
    }

    private void listen(TestProcess... processes) {
        for (TestProcess process : processes) {
            process.port.listen();
            await().atMost(SOON).until(() -> process.told.listening.get() > 0);
        }
    }

    private List<String> keys() {
        return strings(redis.command("KEYS", "*"));
    }

    private long storedFence() {
        return Long.parseLong(String.valueOf(redis.command("GET", FENCE)).split(" ")[0]);
    }

    /** What the owner key says, without the end of a guarded lease. */
    private @Nullable String owner() {
        return redis.command("GET", OWNER) instanceof String value ? value.replaceFirst(" \\d+$", "") : null;
    }

    /** As when a guarded lease ends. */
    private void endLease() {
        redis.command("SET", OWNER, "host:z:1 1000", "PX", String.valueOf(LIVE_WINDOW));
    }

    private Map<String, Long> peers() {
        List<String> flat = strings(redis.command("HGETALL", PEERS));
        Map<String, Long> peers = new TreeMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            peers.put(flat.get(i), Long.valueOf(flat.get(i + 1)));
        }
        return peers;
    }

    private long ticket(String claim) {
        return Long.parseLong(String.valueOf(redis.command("ZSCORE", QUEUE, claim)));
    }

    private long serverMicros() {
        List<String> time = strings(redis.command("TIME"));
        return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    }

    /** The key lives for so long, less what a slow machine takes. */
    private void assertLife(String key, long millis) {
        Object left = redis.command("PTTL", key);
        assertThat((Long) left)
                .as("life of %s", key)
                .isGreaterThan(Math.max(0, millis - 10_000))
                .isLessThanOrEqualTo(millis);
    }

    /** Others wait: the key says when the lease ends, and outlives it. */
    private void assertGuarded(long lease) {
        assertLife(OWNER, lease + LIVE_WINDOW);
        String value = String.valueOf(redis.command("GET", OWNER));
        assertThat(value).matches(".* \\d+");
        long left = Long.parseLong(value.replaceFirst(".* ", "")) - serverMicros() / 1000;
        assertThat(left).as("what is left of the lease").isBetween(Math.max(0, lease - 10_000), lease);
    }

    private static List<String> strings(@Nullable Object answer) {
        List<String> strings = new ArrayList<>();
        if (answer instanceof List<?> list) {
            list.forEach(item -> strings.add(String.valueOf(item)));
        }
        return strings;
    }
}
