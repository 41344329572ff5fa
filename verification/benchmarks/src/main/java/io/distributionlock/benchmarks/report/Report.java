package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.measurement.Statistics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes {@code results.md}, a chart for each headline metric of each workload, and {@code summary.svg}. */
public final class Report {

    private final Results results;
    private final List<String> machine;
    private final Path folder;

    private Report(Results results, List<String> machine, Path folder) {
        this.results = results;
        this.machine = machine;
        this.folder = folder;
    }

    /**
     * Writes the report.
     *
     * @param csv a {@link MeasurementFile}
     * @param machine a text file that describes the machine and the run, one fact a line
     * @param folder where everything goes; created if missing, and existing files are replaced
     */
    public static void write(Path csv, Path machine, Path folder) {
        try {
            Files.createDirectories(folder);
            new Report(new Results(new MeasurementFile(csv).read()), Files.readAllLines(machine), folder).write();
        } catch (IOException e) {
            throw new UncheckedIOException("The report of " + csv + " cannot be written to " + folder, e);
        }
    }

    /** {@code measurements.csv machine.txt folder}. */
    public static void main(String[] arguments) {
        if (arguments.length != 3) {
            throw new IllegalArgumentException("Required arguments: measurements.csv machine.txt folder");
        }
        write(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    }

    private void write() throws IOException {
        List<String> page = new ArrayList<>(List.of("# Results", ""));
        machine.stream()
                .filter(line -> !line.isBlank())
                .forEach(line -> page.add(line.startsWith("- ") ? line : "- " + line));
        page.add("");
        page.add(
                "Each value is the median of its rounds, followed by [minimum–maximum]. With ↑ higher is better, otherwise"
                        + " lower.");
        BarChart summary = new Summary(results).chart();
        if (!summary.isEmpty()) {
            write("summary.svg", summary.svg());
            page.add("");
            page.add("![" + Summary.TITLE + "](summary.svg)");
        }
        page.addAll(new BesideTheBest(results).lines());
        for (String workload : results.workloads()) {
            addWorkload(workload, page);
        }
        write("results.md", String.join("\n", page) + "\n");
    }

    private void addWorkload(String workload, List<String> page) throws IOException {
        page.add("");
        page.add("## " + capitalized(workload));
        for (Metric metric : results.metrics(workload)) {
            BarChart chart = chart(workload, metric);
            if (metric.isHeadline() && !chart.isEmpty()) {
                String file = fileName(workload + " " + metric.name());
                write(file, chart.svg());
                page.add("");
                page.add("![" + capitalized(workload) + ": " + metric.name() + "](" + file + ")");
            }
        }
        for (String variant : results.variants(workload)) {
            page.add("");
            page.add("### " + capitalized(workload) + ": " + variant);
            page.add("");
            page.addAll(new MarkdownTables(results, workload, variant).lines());
        }
    }

    private BarChart chart(String workload, Metric metric) {
        String better = metric.isBetterWhenGreater() ? "higher is better" : "lower is better";
        BarChart chart = new BarChart(capitalized(workload) + ": " + metric.name(), metric.unit() + ", " + better);
        for (String variant : results.variants(workload)) {
            for (String contestant : results.contestants(workload, variant)) {
                Statistics bar = results.of(workload, variant, contestant, metric);
                if (bar != null) {
                    chart.add(variant, contestant, bar);
                }
            }
        }
        return chart;
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), content);
    }

    private static String fileName(String words) {
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".svg";
    }

    private static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
