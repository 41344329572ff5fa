package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.Statistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All measurements, by workload and variant in the order of their measuring. */
final class Results {

    private record Cell(String workload, String variant, String contestant, Metric metric) {}

    private final Map<Cell, List<Double>> values = new LinkedHashMap<>();

    Results(Collection<Measurement> measurements) {
        for (Measurement each : measurements) {
            Metric metric = new Metric(each.metric(), each.unit());
            values.computeIfAbsent(
                            new Cell(each.workload(), each.variant(), each.contestant(), metric),
                            unused -> new ArrayList<>())
                    .add(each.value());
        }
    }

    Set<String> workloads() {
        Set<String> found = new LinkedHashSet<>();
        values.keySet().forEach(cell -> found.add(cell.workload()));
        return found;
    }

    Set<String> variants(String workload) {
        Set<String> found = new LinkedHashSet<>();
        values.keySet().stream()
                .filter(cell -> cell.workload().equals(workload))
                .forEach(cell -> found.add(cell.variant()));
        return found;
    }

    Set<String> contestants(String workload, String variant) {
        Set<String> found = new TreeSet<>(Legend.order());
        values.keySet().stream()
                .filter(cell ->
                        cell.workload().equals(workload) && cell.variant().equals(variant))
                .forEach(cell -> found.add(cell.contestant()));
        return found;
    }

    /** The metrics of a workload, the most telling first. */
    List<Metric> metrics(String workload) {
        return values.keySet().stream()
                .filter(cell -> cell.workload().equals(workload))
                .map(Cell::metric)
                .distinct()
                .sorted(Comparator.comparingInt(Metric::rank))
                .toList();
    }

    /** The other library's lock that does best there; {@code null} if none took part. */
    @Nullable
    String bestPeer(String workload, String variant, Metric metric) {
        String best = null;
        double record = Double.NaN;
        for (String peer : Contestants.PEERS) {
            Statistics measured = of(workload, variant, peer, metric);
            if (measured != null && (best == null || metric.isBetter(measured.median(), record))) {
                best = peer;
                record = measured.median();
            }
        }
        return best;
    }

    /** {@code null} if that was not measured. */
    @Nullable
    Statistics of(String workload, String variant, String contestant, Metric metric) {
        List<Double> found = values.get(new Cell(workload, variant, contestant, metric));
        return found == null ? null : Statistics.of(found);
    }
}
