package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Claims that ask for a permit, script by script. */
@Tag("server")
@Tag("boot4")
class PermitScriptsTest {

    private static final long LEASE = 60_000;
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String OWNER = "distribution-lock:{report}";
    private static final String QUEUE = OWNER + ":queue";
    private static final String HELD = OWNER + ":readers";

    private final RedisProcess redis = RedisProcess.start();
    private final TestProcess a = new TestProcess(redis.port(), "host:a");
    private final TestProcess b = new TestProcess(redis.port(), "host:b");

    @BeforeEach
    void listen() {
        b.port.listen();
        await().atMost(SOON).until(() -> b.told.listening.get() > 0);
    }

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    @Test
    void theOwnerKeyMarksThemAndTheSetHoldsThem() {
        long first = a.acquireOk("report", "host:a:p2-1", LEASE).fence();
        long second = b.acquireOk("report", "host:b:p2-1", LEASE).fence();
        assertThat(second).isGreaterThan(first);
        assertThat(redis.command("GET", OWNER)).isEqualTo("permits");
        assertThat(redis.command("ZCARD", HELD)).isEqualTo(2L);
        a.acquireBusy("report", "host:a:p2-2", LEASE);

        LockInspection shown = TestProcess.answer(a.port.inspect("report"));
        assertThat(shown.inside()).allSatisfy(inside -> {
            assertThat(inside.permits()).isEqualTo(2);
            assertThat(inside.reads()).isFalse();
        });
        assertThat(shown.queue()).containsExactly("host:a:p2-2");
        assertThat(TestProcess.answer(a.port.isLocked("report"))).isTrue();

        assertThat(b.release("report", "host:b:p2-1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("ZCARD", HELD)).isEqualTo(2L);
        assertThat(a.release("report", "host:a:p2-2")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(a.release("report", "host:a:p2-1")).isEqualTo(ReleaseReply.RELEASED);
        assertThat(redis.command("EXISTS", OWNER, HELD, QUEUE)).isEqualTo(0L);
    }

    @Test
    void aReleaseTellsTheNextAndOnlyTheNext() {
        a.acquireOk("report", "host:a:p1-1", LEASE);
        b.acquireBusy("report", "host:b:p1-1", LEASE);
        b.acquireBusy("report", "host:b:p1-2", LEASE);
        a.release("report", "host:a:p1-1");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(b.told.granted)
                        .extracting(RecordingListener.Granted::claim)
                        .containsExactly("host:b:p1-1"));
    }

    @Test
    void aCommandThatRunsTwiceTakesOnePermit() {
        long first = a.acquireOk("report", "host:a:p2-1", LEASE).fence();
        AcquireReply.Ok again = a.acquireOk("report", "host:a:p2-1", LEASE);
        assertThat(again.still()).isTrue();
        assertThat(again.fence()).isGreaterThan(first);
        b.acquireOk("report", "host:b:p2-1", LEASE);
    }

    @Test
    void aHeartbeatEntersBesideHoldersWhenALeaseHasEnded() {
        a.acquireOk("report", "host:a:p2-1", LEASE);
        a.acquireOk("report", "host:a:p2-2", LEASE);
        b.acquireBusy("report", "host:b:p2-1", LEASE);
        redis.command("ZADD", HELD, "1000", "host:a:p2-2"); // ended
        TestProcess.answer(b.port.acquireAll("report", List.of(new Bidding("host:b:p2-1", LEASE))));
        assertThat(redis.command("ZSCORE", HELD, "host:b:p2-1")).isNotNull();
        assertThat(redis.command("ZSCORE", HELD, "host:a:p2-2")).isNull();
        assertThat(a.renew("report", "host:a:p2-1", LEASE).held()).isTrue();
        assertThat(a.renew("report", "host:a:p2-2", LEASE).held()).isFalse();
    }

    @Test
    void eachClaimCountsByItsOwnNumber() {
        a.acquireOk("report", "host:a:p3-1", LEASE);
        a.acquireOk("report", "host:a:p3-2", LEASE);
        b.acquireBusy("report", "host:b:p2-1", LEASE);
        // It would have room, but is behind.
        a.acquireBusy("report", "host:a:p3-3", LEASE);
        assertThat(a.renew("report", "host:a:p3-1", LEASE).held()).isTrue();
        a.release("report", "host:a:p3-1");
        assertThat(redis.command("ZSCORE", HELD, "host:b:p2-1")).isNotNull();
        assertThat(redis.command("ZSCORE", HELD, "host:a:p3-3")).isNotNull();
    }

    @Test
    void aLockAndPermitsOfOneNameAreRefusedWhicheverComesFirst() {
        a.acquireOk("report", "host:a:p3-1", LEASE);
        for (String claim : List.of("host:b:1", "host:b:r1")) {
            assertThat(b.acquire("report", claim, LEASE, true)).isEqualTo(new AcquireReply.Mixed("host:a:p3-1"));
        }
        assertThat(TestProcess.answer(b.port.acquirePlain("report", "host:b:2", LEASE, true)))
                .isEqualTo(new AcquireReply.Mixed("host:a:p3-1"));
        assertThat(redis.command("EXISTS", QUEUE)).isEqualTo(0L);
        a.release("report", "host:a:p3-1");
        for (String claim : List.of("host:a:1", "host:a:r1")) {
            a.acquireOk("report", claim, LEASE);
            assertThat(b.acquire("report", "host:b:p3-1", LEASE, true)).isEqualTo(new AcquireReply.Mixed(claim));
            a.release("report", claim);
        }
        assertThat(redis.command("EXISTS", OWNER, HELD, QUEUE)).isEqualTo(0L);
    }

    @Test
    void aMinimumHoldTimeKeepsOnePermitForNobody() {
        a.acquireOk("report", "host:a:p2-1", LEASE);
        a.acquireOk("report", "host:a:p2-2", LEASE);
        TestProcess.answer(a.port.release("report", "host:a:p2-1", false, 30_000));
        b.acquireBusy("report", "host:b:p2-1", LEASE);
        a.release("report", "host:a:p2-2");
        assertThat(redis.command("ZSCORE", HELD, "host:b:p2-1")).isNotNull();
        assertThat(redis.command("GET", OWNER)).isEqualTo("permits");
    }
}
