package io.distributionlock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.workloads.Scale;
import io.distributionlock.benchmarks.workloads.Variant;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTest {

    private final List<Measurement> measurements = new ArrayList<>();

    @Test
    void showsEachWorkload() {
        for (Variant variant : new Workloads(new Scale(true, 1)).all()) {
            variant.contestants().forEach(contestant -> measured(variant.workload(), variant.name(), contestant, 1));
        }
        // No other takes part in one of them.
        assertThat(Workloads.names())
                .filteredOn(workload -> !workload.equals(Workloads.FAIR_WAITERS))
                .allSatisfy(workload -> assertThat(summary()).contains(">" + workload + ", "));
    }

    @Test
    void comparesWithTheBestOther() {
        measured("address", "2 threads", Contestants.LIBRARY, 2);
        measured("address", "2 threads", Contestants.REDISSON, 10);
        measured("address", "2 threads", Contestants.SPRING_PUBSUB, 6);
        assertThat(summary()).contains("distribution-lock: 3.00<");
    }

    @Test
    void showsTheLockThatTheWorkloadIsAbout() {
        measured("fair", "16 waiters", Contestants.LIBRARY_FAIR, 2);
        measured("fair", "16 waiters", Contestants.REDISSON_FAIR, 10);
        assertThat(summary()).contains("distribution-lock fair: 5.00<");
    }

    private void measured(String workload, String variant, String contestant, double value) {
        measurements.add(new Measurement(workload, variant, contestant, "time", "ms", 1, value));
    }

    private String summary() {
        return new Summary(new Results(measurements)).chart().svg();
    }
}
