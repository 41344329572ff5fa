package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What a section costs in commands that Redis runs, those inside of scripts and the calls of scripts included. */
@Tag("server")
@Tag("boot4")
class SectionCommandsTest {

    private static final long LEASE = 60_000;
    private static final int SECTIONS = 60;

    private final RedisProcess redis = RedisProcess.start();

    /** Counts as alive however busy the machine is. */
    private final TestProcess a = new TestProcess(redis.port(), "host:a", TestProcess.window(Duration.ofHours(1)));

    private final TestProcess b = new TestProcess(redis.port(), "host:b");

    @AfterEach
    void end() {
        a.close();
        b.close();
        redis.close();
    }

    /** SET and the comparison; as a script, that is three commands. */
    private int uncontended() {
        return redis.compareAndDelete().isPresent() ? 2 : 4;
    }

    @Test
    void anUncontendedSection() {
        assertThat(commandsOf(i -> {
                    a.port.acquireUncontended("order", "host:a:" + i, LEASE, true)
                            .join();
                    a.port.releaseUncontended("order", "host:a:" + i).join();
                }))
                .isLessThanOrEqualTo(uncontended());
        assertThat(redis.command("DBSIZE")).isEqualTo(0L);
    }

    @Test
    void anUncontendedSectionOfAnApplication() {
        try (RedisLockExecutor executor = new RedisLockExecutor(
                new StringRedisTemplate(a.factory), TestProcess.PREFIX, TestProcess.patient("host:c"))) {
            LockTemplate locks = new LockTemplate(executor, LockDefaults.STANDARD);
            locks.acquire("order").close();
            // It subscribes when it first acquires a lock.
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> !((List<?>) redis.command("PUBSUB", "CHANNELS")).isEmpty());

            assertThat(commandsOf(i -> locks.acquire("order").close())).isLessThanOrEqualTo(uncontended());
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);

            assertThat(commandsOf(i -> {
                        try (Lease lease = locks.acquire("order")) {
                            assertThat(lease.fencingToken()).isEqualTo(lease.fencingToken());
                        }
                    }))
                    .isLessThanOrEqualTo(9);
            assertThat(redis.command("KEYS", "*")).isEqualTo(List.of("distribution-lock:{order}:fence"));

            LockRequest fenced = LockRequest.named("order").fenced().build();
            assertThat(commandsOf(i -> locks.acquire(fenced).close())).isLessThanOrEqualTo(8);
        }
    }

    @Test
    void anUncontendedSectionWithANumber() {
        assertThat(commandsOf(i -> section("host:a:" + i))).isLessThanOrEqualTo(8);
    }

    /** Two sections, for which the queue is made and removed too. */
    @Test
    void aReaderAndAWriterTakeTurns() {
        a.acquireOk("order", "host:a:r0", LEASE);
        assertThat(commandsOf(i -> {
                    a.acquireBusy("order", "host:a:" + i, LEASE);
                    a.release("order", "host:a:r" + i);
                    a.acquireBusy("order", "host:a:r" + (i + 1), LEASE);
                    a.release("order", "host:a:" + i);
                }))
                .isLessThanOrEqualTo(39);
    }

    @Test
    void anUncontendedSectionOfAReader() {
        assertThat(commandsOf(i -> section("host:a:r" + i))).isLessThanOrEqualTo(15);
    }

    @Test
    void aSectionOfAReaderAmongOthers() {
        b.acquireOk("order", "host:b:r1", LEASE);
        assertThat(commandsOf(i -> section("host:a:r" + i))).isLessThanOrEqualTo(19);
    }

    @Test
    void anUncontendedSectionOfAPermit() {
        assertThat(commandsOf(i -> section("host:a:p2-" + i))).isLessThanOrEqualTo(15);
    }

    @Test
    void aSectionOfAPermitAmongOthers() {
        b.acquireOk("order", "host:b:p2-1", LEASE);
        assertThat(commandsOf(i -> section("host:a:p2-" + i))).isLessThanOrEqualTo(20);
    }

    private void section(String claim) {
        a.acquireOk("order", claim, LEASE);
        a.release("order", claim);
    }

    /** Its next owner asks after the message. With a single waiter, the queue is made and removed each time. */
    @ParameterizedTest(name = "{0} waiters")
    @ValueSource(ints = {1, 2, 16, 400})
    void aSectionForWhichOthersWait(int waiters) {
        letWait(waiters);
        assertThat(commandsOf(i -> {
                    a.acquireBusy("order", "host:a:" + (waiters + i), LEASE);
                    a.release("order", "host:a:" + i);
                    a.acquireOk("order", "host:a:" + (i + 1), LEASE);
                }))
                .isLessThanOrEqualTo(waiters == 1 ? 21 : 18);
    }

    /** Whether they live is seen from their heartbeats. */
    @Test
    void aSectionForWhichOthersHaveWaitedLongerThanTheLivenessTimeout() {
        letWait(50);
        a.port.acquireAll("order", List.of(new HeartbeatEntry("host:a:1", LEASE)))
                .join();
        for (int i = 1; i < 50; i++) {
            redis.command("ZADD", "distribution-lock:{order}:queue", "XX", String.valueOf(i), "host:a:" + i);
        }
        assertThat(commandsOf(i -> {
                    a.acquireBusy("order", "host:a:" + (50 + i), LEASE);
                    a.release("order", "host:a:" + i);
                    a.acquireOk("order", "host:a:" + (i + 1), LEASE);
                }))
                .isLessThanOrEqualTo(19);
    }

    private void letWait(int claims) {
        for (int i = 0; i < claims; i++) {
            a.acquire("order", "host:a:" + i, LEASE, true);
        }
    }

    @Test
    void aHeartbeatOfHundredsOfClaimsThatWait() {
        b.acquireOk("order", "host:b:1", LEASE);
        List<HeartbeatEntry> waiting = IntStream.range(0, 200)
                .mapToObj(i -> new HeartbeatEntry("host:a:" + i, LEASE))
                .toList();
        a.port.acquireAll("order", waiting).join();
        assertThat(commandsOf(i -> a.port.acquireAll("order", waiting).join())).isLessThanOrEqualTo(7);
    }

    /**
     * The mean of some sections, without the first, for which Redis is told the scripts; in whole commands, because what a process sends
     * besides, once in a while, is not a section's.
     */
    private long commandsOf(IntConsumer section) {
        section.accept(0);
        redis.resetCalls();
        for (int i = 1; i <= SECTIONS; i++) {
            section.accept(i);
        }
        return redis.calls() / SECTIONS;
    }
}
