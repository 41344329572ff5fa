package io.distributionlock.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.simulation.Simulation.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {

    /** Script 10, queueing 5, plain command 2, receiver 1, reply 20, wake 30. */
    private static final Costs COSTS = new Costs(10, 5, 2, 1, 20, 30);

    private static Setting setting(int processes, int threads) {
        return new Setting(
                processes,
                threads,
                4,
                false,
                1,
                1,
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ofSeconds(4));
    }

    /** One thread: two round trips, each with 10 at the server, 20 and 30 at the client, and the section between them. */
    @ParameterizedTest
    @EnumSource(Design.class)
    void aSingleThreadTakesTwoRoundTripsForASection(Design design) {
        Outcome outcome = Simulation.run(design, setting(1, 1), COSTS, 1);

        double microsOfASection = 2 * (1_000 + 10 + 20 + 30) + 2_000;
        assertThat(outcome.sectionsPerSecond()).isCloseTo(1e6 / microsOfASection, Percentage.withPercentage(2));
        assertThat(outcome.commandsPerSection()).isCloseTo(2, within(0.01));
        assertThat(outcome.p50Micros()).isCloseTo(1_060, Percentage.withPercentage(3));
        assertThat(outcome.busiest()).isCloseTo(20 / microsOfASection, Percentage.withPercentage(3));
    }

    /** The meter throws if two threads are ever inside; here each design is busy enough for that to happen. */
    @ParameterizedTest
    @EnumSource(Design.class)
    void noTwoThreadsAreInsideAtOnceAndSectionsFillTheTimeAtMost(Design design) {
        Outcome outcome = Simulation.run(design, setting(20, 4), COSTS, 7);

        assertThat(outcome.sectionsPerSecond()).isBetween(50.0, 500.0);
        assertThat(outcome.maxMicros()).isGreaterThanOrEqualTo(outcome.p99Micros());
    }

    @ParameterizedTest
    @EnumSource(Design.class)
    void theSameSeedGivesTheSameRun(Design design) {
        Outcome first = Simulation.run(design, setting(5, 3), COSTS, 3);

        assertThat(Simulation.run(design, setting(5, 3), COSTS, 3)).isEqualTo(first);
        assertThat(Simulation.run(design, setting(5, 3), COSTS, 4)).isNotEqualTo(first);
    }

    /** Without threads to pass it on to, an acquire, another one after the message, and a release for each section. Nobody here waits for as long as a heartbeat. */
    @Test
    void handOverTakesThreeCommandsForASection() {
        Outcome outcome = Simulation.run(Design.HAND_OVER, setting(50, 1), COSTS, 1);

        assertThat(outcome.p99Micros()).isLessThan(1e6);
        assertThat(outcome.commandsPerSection()).isCloseTo(3, within(0.05));
    }

    @Test
    void whoWaitsForLongCostsACommandASecondAtMost() {
        Setting setting =
                setting(50, 1).section(Duration.ofMillis(50)).lasting(Duration.ofSeconds(5), Duration.ofSeconds(20));

        Outcome outcome = Simulation.run(Design.HAND_OVER, setting, COSTS, 1);

        double ofHeartbeats = outcome.commandsPerSecond() - 3 * outcome.sectionsPerSecond();
        assertThat(outcome.p50Micros()).isGreaterThan(2e6);
        assertThat(ofHeartbeats).isBetween(0.5 * 49, 1.1 * 49);
    }

    /** Every release brings an attempt of each who waits, and the release itself is a command. */
    @Test
    void broadcastTakesACommandOfEachWaiterForASection() {
        Outcome outcome = Simulation.run(Design.BROADCAST, setting(50, 1), COSTS, 1);

        assertThat(outcome.commandsPerSection()).isBetween(45.0, 56.0);
    }

    /** Each who waits tries ten times a second. */
    @Test
    void pollingTakesTenCommandsASecondForAWaiter() {
        Outcome outcome = Simulation.run(Design.POLLING, setting(50, 1), COSTS, 1);

        double expected = 2 * outcome.sectionsPerSecond() + 10 * 49;
        assertThat(outcome.commandsPerSecond()).isCloseTo(expected, Percentage.withPercentage(10));
    }

    /** A server that is never idle runs as many commands as its time is enough for. */
    @Test
    void aBusyClusterRunsWhatItsMastersCan() {
        Setting setting = Setting.cluster(3).lasting(Duration.ofMillis(100), Duration.ofMillis(200));

        Outcome outcome = Simulation.run(Design.HAND_OVER, setting, COSTS, 1);

        assertThat(outcome.commandsPerSecond()).isCloseTo(3 * 1e6 / 10, Percentage.withPercentage(3));
        assertThat(outcome.commandsPerSection()).isCloseTo(2, within(0.05));
    }

    /** 8 threads on 2 cores, all at once: a section takes 30 of one core, and the lock lets only one be inside. */
    @Test
    void aProcessAloneIsAsFastAsItsThreadsWakeOneAnother() {
        Setting setting = setting(1, 8).section(Duration.ZERO).on(2, 8, 1);

        Outcome outcome = Simulation.run(Design.HAND_OVER, setting, COSTS, 1);

        assertThat(outcome.sectionsPerSecond()).isCloseTo(1e6 / 30, Percentage.withPercentage(5));
    }

    @Test
    void millionHeldNamesAreRenewedEachThirdOfTheirLease() {
        HeldNames held = new HeldNames(1_000_000, 5, Duration.ofSeconds(60));

        assertThat(held.commandsPerSecond()).isEqualTo(50_000);
        assertThat(held.utilisation(COSTS)).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void theCheckTakesItsCostsFromTwoPointsAndForecastsTheOthers() {
        List<Measurement> measured = new ArrayList<>();
        measured.add(point("uncontended", "1 thread", "throughput", 5_000));
        measured.add(point("uncontended", "1 thread", "Redis CPU", 40));
        measured.add(point("uncontended", "1 thread", "commands sent", 2));
        measured.add(point("hot name", "1 process empty", "throughput", 50_000));
        measured.add(point("hot name", "2 processes empty", "throughput", 40_000));
        measured.add(point("hot name", "2 processes empty", "commands sent", 0.05));
        measured.add(point("hot name", "2 processes 1 ms", "throughput", 900));
        measured.add(point("processes", "8 processes", "throughput", 20_000));

        List<Measurement> check = new ScalingCheck(new Measured(measured), 2, Duration.ofSeconds(1)).run(1, 1);

        assertThat(value(check, "hot name: 1 process", "simulated", "throughput to measured"))
                .isCloseTo(1, within(0.05));
        assertThat(value(check, "hot name: 2 processes", "measured", "throughput"))
                .isEqualTo(40_000);
        assertThat(value(check, "hot name: 2 processes", "simulated", "throughput"))
                .isBetween(20_000.0, 50_000.0);
        assertThat(value(check, "hot name: 2 processes", "simulated", "commands sent"))
                .isBetween(0.01, 0.2);
        assertThat(value(check, "processes: 8 processes", "simulated", "throughput"))
                .isPositive();
    }

    @Test
    void withoutMeasuredPointsThereIsNothingToCheck() {
        assertThat(new ScalingCheck(new Measured(List.of()), 2, Duration.ofSeconds(1)).run(1, 1))
                .isEmpty();
    }

    @Test
    void aMeterRefusesASecondThreadInASection() {
        Meter meter = new Meter();
        meter.entered("n", "one", 0);

        assertThatThrownBy(() -> meter.entered("n", "other", 0)).hasMessage("other is in 'n' while one is");
    }

    private static Measurement point(String workload, String variant, String metric, double value) {
        return new Measurement(workload, variant, "distribution-lock", metric, "unit", 1, value);
    }

    private static double value(List<Measurement> all, String variant, String contestant, String metric) {
        return all.stream()
                .filter(each -> each.variant().equals(variant)
                        && each.contestant().equals(contestant)
                        && each.metric().equals(metric))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
