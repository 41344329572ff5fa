package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.Statistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The median over the rounds of each metric. */
final class Medians {

    private final Map<List<String>, Double> values = new HashMap<>();

    Medians(List<Measurement> measurements) {
        measurements.stream()
                .collect(Collectors.groupingBy(Medians::key))
                .forEach((key, rounds) -> values.put(key, medianOf(rounds)));
    }

    /** Empty if it was not measured. */
    OptionalDouble of(String workload, String variant, String contestant, String metric) {
        Double value = values.get(List.of(workload, variant, contestant, metric));
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    private static List<String> key(Measurement measurement) {
        return List.of(measurement.workload(), measurement.variant(), measurement.contestant(), measurement.metric());
    }

    private static double medianOf(List<Measurement> rounds) {
        return Statistics.of(rounds.stream().map(Measurement::value).toList()).median();
    }
}
