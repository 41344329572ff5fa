package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What fair waiting costs in commands that are sent: the same for each section, however many wait. */
@Tag("server")
class FairCommandsTest {

    private static final String NAME = "fair";
    private static final String QUEUE = "distribution-lock:{fair}:queue";
    private static final Duration LONG = Duration.ofSeconds(60);

    private final RedisProcess redis = RedisProcess.start();
    private final RedisFixture fixture = new RedisFixture(redis);
    private final List<LockTemplate> processes = List.of(newProcess(), newProcess());
    private final ExecutorService releases = Executors.newFixedThreadPool(2);
    private final List<CompletableFuture<?>> sections = new ArrayList<>();

    private LockTemplate newProcess() {
        return new LockTemplate(fixture.newProcess(), LockDefaults.STANDARD);
    }

    @AfterEach
    void end() {
        releases.shutdown();
        fixture.close();
        redis.close();
    }

    private static LockRequest fair(Duration wait) {
        return LockRequest.named(NAME).kind(LockKind.FAIR).tryLockTime(wait).build();
    }

    private Lease holdAndLetWait(int waiters) {
        Lease held = processes.get(0).acquire(fair(LONG));
        // The other process subscribes now, and not while commands are counted.
        assertThat(processes.get(1).tryAcquire(fair(Duration.ZERO))).isEmpty();
        redis.resetCalls();
        for (int i = 0; i < waiters; i++) {
            sections.add(processes
                    .get(i % 2)
                    .acquireAsync(fair(LONG))
                    .thenAcceptAsync(
                            outcome -> ((LockOutcome.Acquired) outcome).lease().release(), releases));
        }
        await().atMost(LONG)
                .until(() -> Integer.toString(waiters).equals(String.valueOf(redis.command("ZCARD", QUEUE))));
        return held;
    }

    private void drain(Lease held) throws Exception {
        held.close();
        CompletableFuture.allOf(sections.toArray(CompletableFuture[]::new)).get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @ParameterizedTest(name = "{0} waiters")
    @ValueSource(ints = {16, 400})
    void aSectionCostsTheSameHoweverManyWait(int waiters) throws Exception {
        long start = System.nanoTime();
        drain(holdAndLetWait(waiters));
        // Joining the queue, asking whether the message of a grant is true, and leaving the lock; and a heartbeat for
        // each
        // second and process that it took.
        long seconds = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        assertThat(redis.calls("evalsha")).isBetween(3L * waiters, 3L * waiters + 20 + 10 * seconds);
        // Those inside of the scripts too.
        assertThat(redis.calls()).isLessThanOrEqualTo(18L * waiters + 200 + 70 * seconds);
    }

    @Test
    void manyThatWaitAskAboutOnceASecondForEachProcess() throws Exception {
        Lease held = holdAndLetWait(400);
        redis.resetCalls();
        long start = System.nanoTime();
        await().pollDelay(Duration.ofSeconds(4)).atMost(LONG).until(() -> redis.calls("evalsha") > 0);
        double seconds = (System.nanoTime() - start) / 1e9;
        // Before the scripts: more of them may run until they are counted.
        long commands = redis.calls();
        long scripts = redis.calls("evalsha");
        // Each second a process asks for its 200 claims in two scripts, and at first probes the holder nearly
        // as
        // often. A round more than the seconds may fall into the time measured.
        assertThat((double) scripts).isLessThan(6 * (seconds + 1));
        // A heartbeat is the longest of these scripts: two processes cost 14 commands a second.
        assertThat(commands).isLessThanOrEqualTo(7 * scripts + 2);
        drain(held);
    }
}
