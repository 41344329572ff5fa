package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Statistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tables of one variant: its numbers, and how they compare with a bare command and with the best peer. */
final class MarkdownTables {

    private static final String NOTHING = "–";

    private final Results results;
    private final String workload;
    private final String variant;
    private final List<Metric> metrics;
    private final Set<String> contestants;

    MarkdownTables(Results results, String workload, String variant) {
        this.results = results;
        this.workload = workload;
        this.variant = variant;
        this.contestants = results.contestants(workload, variant);
        this.metrics = results.metrics(workload).stream()
                .filter(metric -> contestants.stream().anyMatch(each -> statistics(each, metric) != null))
                .toList();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        addTable(contestants, (contestant, metric) -> cell(statistics(contestant, metric)), lines);
        if (contestants.contains(Contestants.BARE)) {
            addRatios("`" + Contestants.BARE + "`", metric -> Contestants.BARE, lines);
        }
        if (contestants.stream().anyMatch(Contestants.PEERS::contains)) {
            addRatios("the best peer of each column", metric -> results.bestPeer(workload, variant, metric), lines);
        }
        return lines;
    }

    private void addRatios(String title, Function<Metric, @Nullable String> base, List<String> lines) {
        lines.add("");
        lines.add("Divided by " + title + ":");
        lines.add("");
        addTable(
                contestants,
                (contestant, metric) -> {
                    String other = base.apply(metric);
                    return ratio(statistics(contestant, metric), other == null ? null : statistics(other, metric));
                },
                lines);
    }

    private void addTable(Collection<String> rows, BiFunction<String, Metric, String> cell, List<String> lines) {
        lines.add(header());
        lines.add("|---|" + "---:|".repeat(metrics.size()));
        for (String contestant : rows) {
            StringJoiner row = new StringJoiner(" | ", "| ", " |").add(contestant);
            metrics.forEach(metric -> row.add(cell.apply(contestant, metric)));
            lines.add(row.toString());
        }
    }

    private String header() {
        StringJoiner header = new StringJoiner(" | ", "| | ", " |");
        metrics.forEach(metric -> header.add(metric.title() + (metric.isBetterWhenGreater() ? " ↑" : "")));
        return header.toString();
    }

    private @Nullable Statistics statistics(String contestant, Metric metric) {
        return results.of(workload, variant, contestant, metric);
    }

    private static String cell(@Nullable Statistics statistics) {
        return statistics == null ? NOTHING : Figures.of(statistics);
    }

    private static String ratio(@Nullable Statistics one, @Nullable Statistics base) {
        return one == null || base == null || base.median() == 0
                ? NOTHING
                : Figures.of(one.median() / base.median()) + "×";
    }
}
