package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.measurement.Statistics;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One chart of all workloads: how many times better than the best peer everybody is, in what each workload is measured for. */
final class Summary {

    static final String TITLE = "Compared with the best other library";

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
            Workloads.PROCESSES,
            Workloads.NETWORK,
            Workloads.THREE_MASTERS);

    private final Results results;

    Summary(Results results) {
        this.results = results;
    }

    /** The last variant of each workload is the hardest. */
    BarChart chart() {
        BarChart chart = new BarChart(TITLE, "times as good as the best other library, by median");
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
        String ours = Ours.of(workload).get(0);
        for (Metric metric : results.metrics(workload)) {
            String peer = results.bestPeer(workload, variant, metric);
            Statistics best = peer == null ? null : results.of(workload, variant, peer, metric);
            if (best != null && results.of(workload, variant, ours, metric) != null && best.median() > 0) {
                addAll(workload, variant, metric, best, chart);
                return true;
            }
        }
        return false;
    }

    private void addAll(String workload, String variant, Metric metric, Statistics best, BarChart chart) {
        String group = workload + ", " + variant;
        for (String contestant : results.contestants(workload, variant)) {
            Statistics value = results.of(workload, variant, contestant, metric);
            Statistics better = value == null ? null : better(metric, value, best);
            if (better != null) {
                chart.add(group, contestant, better);
            }
        }
    }

    private static @Nullable Statistics better(Metric metric, Statistics value, Statistics best) {
        double base = best.median();
        if (metric.isBetterWhenGreater()) {
            return new Statistics(value.median() / base, value.least() / base, value.most() / base, value.rounds());
        }
        return value.least() <= 0
                ? null
                : new Statistics(base / value.median(), base / value.most(), base / value.least(), value.rounds());
    }
}
