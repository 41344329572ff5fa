package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis answers that it cannot do a thing just now, and soon can: nobody who asked hears of it. */
@Tag("server")
class RefusedForAMomentIT extends FaultSuite {

    /** Each has taken 20 ms to load: together they take less than a question is repeated for, also on a busy machine; */
    private static final int VALUES = 20;

    /** and is so large, in bytes, that Redis answers between the two. */
    private static final String LARGE = "2100000";

    @TempDir
    private Path folder;

    @Override
    RedisProcess newRedis() {
        return RedisProcess.start(
                RedisBinary.GIVEN, "--dir", folder.toString(), "--key-load-delay", "20000", "--rdbcompression", "no");
    }

    @Test
    void asAReplica() throws Exception {
        Asked asked = new Asked();
        refuseWrites();
        asked.ask();
        eventually().until(() -> refusals("READONLY") > 0);
        takeWrites();
        asked.assertAnswered();
    }

    @Test
    void whileALongScriptRuns() throws Exception {
        Asked asked = new Asked();
        redis.command("CONFIG", "SET", "lua-time-limit", "1");
        CompletableFuture<Boolean> endless = start(this::runsToItsEnd);
        eventually().until(this::isBusy);
        long start = System.nanoTime();
        asked.ask();
        awaitTime(Duration.ofMillis(200), start);
        redis.command("SCRIPT", "KILL");
        assertThat(get(endless)).isFalse();
        assertThat(refusals("BUSY")).isPositive();
        asked.assertAnswered();
    }

    private boolean runsToItsEnd() {
        try {
            redis.command("EVAL", "while true do end", "0");
            return true;
        } catch (IllegalStateException killed) {
            return false;
        }
    }

    private boolean isBusy() {
        try {
            redis.command("PING");
            return false;
        } catch (IllegalStateException refused) {
            return String.valueOf(refused.getMessage()).contains("BUSY");
        }
    }

    @Test
    void whileItLoadsItsData() throws Exception {
        for (int i = 0; i < VALUES; i++) {
            redis.command("SETRANGE", "value:" + i, LARGE, "end");
        }
        // Once more if it had loaded all before a command came.
        do {
            Asked asked = new Asked();
            redis.command("SAVE");
            redis.kill();
            redis.startAgain();
            asked.ask();
            eventually().until(() -> redis.info("persistence", "loading").equals("0"));
            asked.assertAnswered();
        } while (refusals("LOADING") == 0);
        for (int i = 0; i < VALUES; i++) {
            redis.command("DEL", "value:" + i);
        }
    }

    private long refusals(String error) {
        return String.valueOf(redis.command("INFO", "errorstats"))
                .lines()
                .filter(line -> line.startsWith("errorstat_" + error))
                .count();
    }

    /** One question of each sort, about locks that are held before. */
    private final class Asked {

        private final Lease held = here.locks().acquire(fixed(LONG_LEASE));
        private final ObservedLease leaving = acquire(here, fixed(name + ":leaving", LONG_LEASE));
        private CompletableFuture<Long> number = new CompletableFuture<>();
        private CompletableFuture<Boolean> question = new CompletableFuture<>();
        private CompletableFuture<LockOutcome> attempt = new CompletableFuture<>();
        private CompletableFuture<ReleaseResult> release = new CompletableFuture<>();

        void ask() {
            number = held.fencingTokenAsync();
            question = there.executor().isLocked(name);
            attempt = startAttempt(there, renewed(name + ":other", LONG_LEASE));
            release = leaving.lease().releaseAsync();
        }

        void assertAnswered() throws Exception {
            assertThat(get(number, SOON)).isPositive();
            assertThat(get(question, SOON)).isTrue();
            assertThat(get(attempt, SOON))
                    .isInstanceOfSatisfying(
                            LockOutcome.Acquired.class,
                            acquired -> assertThat(acquired.lease().release()).isEqualTo(ReleaseResult.RELEASED));
            assertThat(get(release, SOON)).isEqualTo(ReleaseResult.RELEASED);
            assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        }
    }
}
