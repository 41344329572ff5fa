package io.distributionlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.SilentLog;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many random runs of several processes and servers. A failure names the seed of its run; {@code -Dsimulation.seed=N} begins
 * with that one. {@code -Dsimulation.runs=N} makes two fifths of N runs of each scenario, because they take longer than those of
 * the engine.
 */
@Tag("long")
@ExtendWith(SilentLog.class)
class QuorumSimulationTest {

    private static final Duration LENGTH = Duration.ofSeconds(40);
    private static final int RUNS = Math.max(1, Integer.getInteger("simulation.runs", 50) * 2 / 5);

    private final long firstSeed = Long.getLong("simulation.seed", System.nanoTime());

    @Test
    void amongThreeServersThatFailAndForgetOneHoldsAtATimeAndNothingIsLeft() {
        runs(3, QuorumMode.MAJORITY, 15, 20);
    }

    @Test
    void amongFiveServersThatFailAndForgetOneHoldsAtATimeAndNothingIsLeft() {
        runs(5, QuorumMode.MAJORITY, 15, 20);
    }

    @Test
    void whenAllHaveToAgreeOneHoldsAtATimeAndNothingIsLeft() {
        runs(3, QuorumMode.ALL, 5, 2);
    }

    @Test
    void serversThatComeBackEmptyOneAfterTheOtherTakeNoLockAway() {
        int healed = 0;
        for (long seed = firstSeed; seed < firstSeed + RUNS; seed++) {
            QuorumSimulation run = new QuorumSimulation(
                            seed, 3, QuorumMode.MAJORITY, QuorumSimulation.SAFE_RESTART_DELAY, 0)
                    .runInTurn(Duration.ofMinutes(2));
            assertThat(run.violations()).as("seed %d", seed).isEmpty();
            healed += run.healed();
        }
        assertThat(healed)
                .as("holds that outlived the data of all servers, first seed %d", firstSeed)
                .isGreaterThan(RUNS / 2);
    }

    @Test
    void slowServersServeEverybodyWhoMayWait() {
        int acquired = 0;
        for (long seed = firstSeed; seed < firstSeed + RUNS; seed++) {
            QuorumSimulation run = new QuorumSimulation(
                            seed, 3, QuorumMode.MAJORITY, QuorumSimulation.SAFE_RESTART_DELAY, 0)
                    .runSlowly(Duration.ofMinutes(2));
            assertThat(run.violations()).as("seed %d", seed).isEmpty();
            acquired += run.acquired();
        }
        assertThat(acquired).as("acquired, first seed %d", firstSeed).isGreaterThan(5 * RUNS);
    }

    private void runs(int nodes, QuorumMode mode, int lossRate, int leastAcquiredInARun) {
        int acquired = 0;
        int busy = 0;
        int failed = 0;
        for (long seed = firstSeed; seed < firstSeed + RUNS; seed++) {
            QuorumSimulation run =
                    new QuorumSimulation(seed, nodes, mode, QuorumSimulation.SAFE_RESTART_DELAY, lossRate).run(LENGTH);
            assertThat(run.violations()).as("seed %d", seed).isEmpty();
            acquired += run.acquired();
            busy += run.busy();
            failed += run.failed();
        }
        // The runs are worth something only if all of it happens.
        assertThat(acquired).as("acquired, first seed %d", firstSeed).isGreaterThan(leastAcquiredInARun * RUNS);
        assertThat(busy).as("busy, first seed %d", firstSeed).isGreaterThan(RUNS);
        assertThat(failed).as("failed, first seed %d", firstSeed).isGreaterThan(RUNS / 2);
    }

    @Test
    void withoutTheDelayServersThatComeBackEmptyLetTwoIn() {
        assertThat(LongStream.range(firstSeed, firstSeed + 40 * RUNS)
                        .anyMatch(seed -> new QuorumSimulation(seed, 3, QuorumMode.MAJORITY, Duration.ZERO, 5)
                                .run(LENGTH).violations().stream()
                                        .anyMatch(violation -> violation.contains("several hold"))))
                .as("first seed %d", firstSeed)
                .isTrue();
    }
}
