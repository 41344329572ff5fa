package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.SilentLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Drives the engine with random orders of events, and checks its promises after each.
 *
 * <p>{@code -Dsimulation.runs=N} makes N runs of each scenario instead of the usual number, {@code -Dsimulation.seed=N} begins
 * with that seed; a failure says both what was broken and how to see it again.
 */
@ExtendWith(SilentLog.class)
class EngineSimulationTest {

    private static final int RUNS = Integer.getInteger("simulation.runs", 20);
    private static final int STEPS_OF_A_RUN = 1_500;
    private static final long FIRST_SEED = Long.getLong("simulation.seed", 1);
    private static final int TRACED_STEPS = 150;

    static Stream<Scenario> scenarios() {
        return Stream.of(
                        Scenario.CALM,
                        Scenario.LOST_MESSAGES,
                        Scenario.FAILURES,
                        Scenario.SLOW,
                        Scenario.STORM,
                        Scenario.CRASHES,
                        Scenario.DATA_LOSS)
                .flatMap(scenario -> Stream.of(
                        scenario, scenario.withAllKinds(), scenario.withReadersAndWriters(), scenario.withPermits()));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void theEngineKeepsItsPromises(Scenario scenario) {
        keepsItsPromises(scenario, FIRST_SEED, RUNS);
    }

    /** In as many orders again, and half as many more. */
    @Tag("long")
    @ParameterizedTest
    @MethodSource("scenarios")
    void theEngineKeepsItsPromisesInOtherOrdersToo(Scenario scenario) {
        keepsItsPromises(scenario, FIRST_SEED + RUNS, RUNS + RUNS / 2);
    }

    private static void keepsItsPromises(Scenario scenario, long firstSeed, int runs) {
        long steps = 0;
        long acquisitions = 0;
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            Simulation simulation = new Simulation(scenario, seed, false, unused -> {});
            try {
                simulation.run(STEPS_OF_A_RUN);
            } catch (Throwable e) {
                throw new AssertionError(describe(scenario, seed, e), e);
            }
            steps += simulation.steps();
            acquisitions += simulation.acquisitions();
        }
        System.out.printf(
                "Simulation '%s': seeds %d to %d, %d steps, %d acquisitions%n",
                scenario, firstSeed, firstSeed + runs - 1, steps, acquisitions);
        assertThat(steps).isGreaterThanOrEqualTo((long) runs * STEPS_OF_A_RUN);
        assertThat(acquisitions).isGreaterThanOrEqualTo(runs);
    }

    private static String describe(Scenario scenario, long seed, Throwable failure) {
        return "Scenario '" + scenario + "', seed " + seed + ": " + failure.getMessage()
                + "\nSee it again with -Dsimulation.runs=1 -Dsimulation.seed=" + seed + ". The last steps were:\n"
                + String.join("\n", lastSteps(scenario, seed));
    }

    /** Runs it once more: the same seed makes the same steps. */
    private static Deque<String> lastSteps(Scenario scenario, long seed) {
        Deque<String> last = new ArrayDeque<>();
        try {
            new Simulation(scenario, seed, true, line -> {
                        last.add(line);
                        if (last.size() > TRACED_STEPS) {
                            last.remove();
                        }
                    })
                    .run(STEPS_OF_A_RUN);
        } catch (Throwable e) {
            last.add("and then: " + e.getMessage());
        }
        return last;
    }
}
