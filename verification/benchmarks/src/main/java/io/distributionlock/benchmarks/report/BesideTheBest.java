package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Statistics;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Everything that users feel, beside whichever other library does best there. What others do better comes first. */
final class BesideTheBest {

    private static final List<String> TIME = List.of("time");
    private static final List<String> FREE = List.of("throughput", "latency p99");
    private static final List<String> CONTENDED = List.of("throughput", "wait p50", "wait p99");

    /** What matters where. */
    private static final Map<String, List<String>> FELT = Map.ofEntries(
            Map.entry(Workloads.UNCONTENDED, FREE),
            Map.entry(Workloads.REENTRY, TIME),
            Map.entry(Workloads.HOT, CONTENDED),
            Map.entry(
                    Workloads.WAITERS,
                    List.of("time", "idle commands sent", "idle commands run", "idle client CPU", "idle Redis CPU")),
            Map.entry(Workloads.ADDRESS, TIME),
            Map.entry(Workloads.RENEWING, List.of("commands run per second", "client CPU", "Redis CPU", "heap")),
            Map.entry(Workloads.FAIR, List.of("throughput", "wait p99", "commands run")),
            Map.entry(Workloads.PERMIT, CONTENDED),
            Map.entry(Workloads.MANY_AT_ONCE, TIME),
            Map.entry(Workloads.MANY_NAMES, List.of("throughput", "keys left in Redis")),
            Map.entry(Workloads.PROCESSES, List.of("throughput", "wait p50", "wait p99", "commands run", "Redis CPU")),
            Map.entry(Workloads.NETWORK, List.of("throughput", "latency p99", "wait p50", "wait p99")),
            Map.entry(Workloads.THREE_MASTERS, List.of("throughput", "latency p99", "wait p50", "wait p99")));

    private record Row(
            String workload,
            String variant,
            Metric metric,
            String ours,
            Statistics here,
            String peer,
            Statistics best) {

        double timesBetter() {
            return metric.timesBetter(here.median(), best.median());
        }

        private boolean overlaps() {
            return here.least() <= best.most() && best.least() <= here.most();
        }

        boolean isWorse() {
            return !overlaps() && metric.isBetter(best.median(), here.median());
        }

        boolean isBetter() {
            return !overlaps() && metric.isBetter(here.median(), best.median());
        }

        String line() {
            double times = timesBetter();
            return "| "
                    + String.join(
                            " | ",
                            workload + ", " + variant + (ours.equals(Contestants.LIBRARY) ? "" : ", `" + ours + "`"),
                            metric.title(),
                            Figures.of(here),
                            Figures.of(best) + " " + peer,
                            Double.isFinite(times) && times > 0 ? Figures.of(times) : "–")
                    + " |";
        }
    }

    private final List<Row> rows = new ArrayList<>();

    BesideTheBest(Results results) {
        for (String workload : results.workloads()) {
            for (String variant : results.variants(workload)) {
                for (Metric metric : results.metrics(workload)) {
                    if (FELT.getOrDefault(workload, List.of()).contains(metric.name())) {
                        add(results, workload, variant, metric);
                    }
                }
            }
        }
    }

    private void add(Results results, String workload, String variant, Metric metric) {
        String peer = results.bestPeer(workload, variant, metric);
        Statistics best = peer == null ? null : results.of(workload, variant, peer, metric);
        if (peer == null || best == null) {
            return;
        }
        for (String ours : Ours.of(workload)) {
            Statistics here = results.of(workload, variant, ours, metric);
            if (here != null) {
                rows.add(new Row(workload, variant, metric, ours, here, peer, best));
            }
        }
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        rows.sort(Comparator.comparingDouble(Row::timesBetter));
        add("Where another library is better", Row::isWorse, lines);
        add("Where the ranges overlap", row -> !row.isWorse() && !row.isBetter(), lines);
        add("Where none is as good", Row::isBetter, lines);
        return lines;
    }

    private void add(String title, Predicate<Row> which, List<String> lines) {
        List<String> found = rows.stream().filter(which).map(Row::line).toList();
        if (found.isEmpty()) {
            return;
        }
        lines.addAll(List.of(
                "", "## " + title, "", "| | | here | the best other | times as good |", "|---|---|---:|---:|---:|"));
        lines.addAll(found);
    }
}
