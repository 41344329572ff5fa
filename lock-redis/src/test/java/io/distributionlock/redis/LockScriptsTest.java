package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the scripts make of time, and of a server that is a replica; {@link ScriptFilesTest} has the rest. */
@Tag("server")
class LockScriptsTest {

    private static final long LEASE = 20_000;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String OWNER = "distribution-lock:{order}";

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
    void aNumberIsTheTimeByTheClockOfRedis() {
        long before = serverMicros();
        assertThat(a.acquireOk("order", "host:a:1", LEASE).fence()).isBetween(before, serverMicros());
    }

    private long serverMicros() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    @Test
    void aGuardNeverShortensALease() {
        for (int i = 0; i < 100; i++) {
            redis.command("DEL", OWNER, OWNER + ":queue", OWNER + ":peers");
            redis.command("SET", OWNER, "host:a:1", "PXAT", "99999999999999");
            b.acquireBusy("order", "host:b:1", LEASE);
            String guard = String.valueOf(redis.command("GET", OWNER));
            assertThat(Long.parseLong(guard.substring("host:a:1 ".length())))
                    .isGreaterThanOrEqualTo(99_999_999_999_999L);
        }
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
                        a.port.acquireAll("order", List.of(new HeartbeatEntry("host:b:1", LEASE))),
                        a.port.acquireAll("none", List.of(new HeartbeatEntry("host:b:1", LEASE))),
                        a.port.release("order", "host:a:1", false, 0),
                        a.port.release("order", "host:a:9", false, 0),
                        a.port.release("read", "host:a:r1", false, 0),
                        a.port.release("read", "host:a:r9", true, 0))
                .forEach(answer -> assertThatThrownBy(() -> answer.get(15, TimeUnit.SECONDS))
                        .hasRootCauseInstanceOf(TryAgainException.class));
    }

    @Test
    void aServerThatIsUpForTooShortATimeRaisesNoFence() {
        long fence = a.acquireOk("order", "host:a:1", LEASE).fence();
        assertThat(raise(fence + 9, 86_400)).isEqualTo(RaiseFenceReply.TOO_YOUNG);
        await().atMost(SOON).until(() -> raise(fence + 9, 1) == RaiseFenceReply.RAISED);
    }

    private RaiseFenceReply raise(long fence, long leastUptimeSeconds) {
        return TestProcess.answer(a.port.raiseFence("order", "host:a:1", fence, LEASE, leastUptimeSeconds));
    }
}
