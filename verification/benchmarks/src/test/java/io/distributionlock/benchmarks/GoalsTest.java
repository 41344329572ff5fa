package io.distributionlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.benchmarks.measurement.Measurement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {

    private final List<Measurement> measurements = new ArrayList<>();

    @Test
    void comparesTheMedianWithABareCommand() {
        rounds("uncontended", "16 threads", "distribution-lock", "throughput", 70, 95, 100);
        rounds("uncontended", "16 threads", "bare SET NX", "throughput", 100, 100, 10);
        assertThat(goal("times the throughput of bare SET NX").reached()).hasValue(0.95);
        assertThat(goal("times the throughput of bare SET NX").verdict()).isEqualTo("met");
    }

    @Test
    void aMissedGoalIsTold() {
        rounds("re-entry", "1 thread", "distribution-lock", "time", 1_500);
        assertThat(goal("Re-entry: ns").verdict()).isEqualTo("missed");
        assertThat(new Goals(measurements).markdown()).contains("| Re-entry: ns | at most 1000 | 1500 | missed |");
    }

    @Test
    void eachIsComparedWithTheBestOther() {
        rounds("address", "2 × 300 threads", "distribution-lock", "time", 40);
        rounds("address", "2 × 300 threads", "redisson", "time", 200);
        rounds("address", "2 × 300 threads", "spring-integration pub-sub", "time", 100);
        assertThat(goal("Address").reached()).hasValue(0.4);
    }

    @Test
    void sectionsOfAMillisecondAreComparedWithTheBestOther() {
        rounds("hot name", "4 processes 1 ms", "distribution-lock", "throughput", 600);
        rounds("hot name", "4 processes 1 ms", "redisson", "throughput", 300);
        rounds("hot name", "4 processes 1 ms", "lock4j", "throughput", 800);
        assertThat(goal("4 processes, sections of 1 ms: share").reached()).hasValue(0.75);
    }

    @Test
    void theAdviceIsWhatALockedMethodHasMoreThanTheBareOne() {
        rounds("aspect overhead", "blocking method", "distribution-lock", "time", 1_500);
        rounds("aspect overhead", "blocking method", "bare call", "time", 100);
        assertThat(goal("Advice around a method, without Redis: ns").reached()).hasValue(1_400);
    }

    @Test
    void aStartIsComparedWithThatOfTheSameApplicationWithoutTheLibrary() {
        rounds("start", "nothing locked", "distribution-lock", "classes", 6_000, 6_100);
        rounds("start", "nothing locked", "without a lock", "classes", 5_700, 5_800);
        assertThat(goal("Start: classes").reached()).hasValue(300);
        rounds("start", "nothing locked", "distribution-lock", "more time than without a lock", 10, 12, 40);
        assertThat(goal("Start: ms").reached()).hasValue(12);
    }

    @Test
    void whatWasNotMeasuredIsNeitherMetNorMissed() {
        assertThat(new Goals(List.of()).all()).allMatch(goal -> goal.verdict().equals("not measured"));
    }

    private Goal goal(String text) {
        return new Goals(measurements)
                .all().stream()
                        .filter(goal -> goal.text().contains(text))
                        .findFirst()
                        .orElseThrow();
    }

    private void rounds(String workload, String variant, String contestant, String metric, double... values) {
        for (int i = 0; i < values.length; i++) {
            measurements.add(new Measurement(workload, variant, contestant, metric, "any", i + 1, values[i]));
        }
    }
}
