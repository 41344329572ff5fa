package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Statistics;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One chart of all workloads: how many times better than Redisson everybody is, in what each workload is measured for. */
final class Summary {

    /** In this order, as far as they were measured. */
    private static final List<String> WORKLOADS = List.of(
            Workloads.UNCONTENDED,
            Workloads.REENTRY,
            Workloads.HOT,
            Workloads.MANY_AT_ONCE,
            Workloads.MANY_NAMES,
            Workloads.WAITERS,
            Workloads.RENEWING,
            Workloads.FAIR,
            Workloads.PERMIT,
            Workloads.ADDRESS,
            Workloads.PROCESSES);

    private final Results results;

    Summary(Results results) {
        this.results = results;
    }

    /** The last variant of each workload is the hardest. */
    BarChart chart() {
        BarChart chart = new BarChart("Compared with Redisson", "times better than Redisson, by median");
        for (String workload : WORKLOADS) {
            for (String variant : reversed(workload)) {
                if (add(workload, variant, chart)) {
                    break;
                }
            }
        }
        return chart;
    }

    private List<String> reversed(String workload) {
        List<String> variants = new ArrayList<>();
        results.variants(workload).forEach(variant -> variants.add(0, variant));
        return variants;
    }

    private boolean add(String workload, String variant, BarChart chart) {
        String base = results.redisson(workload, variant);
        if (base == null) {
            return false;
        }
        String ours = switch (workload) {
            case Workloads.FAIR -> Contestants.LIBRARY_FAIR;
            case Workloads.PERMIT -> Contestants.LIBRARY_PERMITS;
            default -> Contestants.LIBRARY;
        };
        for (Metric metric : results.metrics(workload)) {
            Statistics redisson = results.of(workload, variant, base, metric);
            Statistics library = results.of(workload, variant, ours, metric);
            if (redisson != null && library != null && redisson.median() > 0) {
                addAll(workload, variant, metric, redisson, chart);
                return true;
            }
        }
        return false;
    }

    private void addAll(String workload, String variant, Metric metric, Statistics redisson, BarChart chart) {
        String group = workload + ", " + variant;
        for (String contestant : results.contestants(workload, variant)) {
            Statistics value = results.of(workload, variant, contestant, metric);
            Statistics better = value == null ? null : better(metric, value, redisson);
            if (better != null) {
                chart.add(group, contestant, better);
            }
        }
    }

    private static @Nullable Statistics better(Metric metric, Statistics value, Statistics redisson) {
        double base = redisson.median();
        if (metric.isBetterWhenGreater()) {
            return new Statistics(value.median() / base, value.least() / base, value.most() / base, value.rounds());
        }
        return value.least() <= 0
                ? null
                : new Statistics(base / value.median(), base / value.most(), base / value.least(), value.rounds());
    }
}
