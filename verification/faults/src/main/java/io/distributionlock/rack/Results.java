package io.distributionlock.rack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The verdicts of a run as {@code cells.csv}, {@code tables.md} and {@code picture.svg}. */
final class Results {

    private final Map<Cell, Verdict> verdicts;
    private final List<Library> libraries;
    private final List<Fault> faults;

    Results(Map<Cell, Verdict> verdicts) {
        this.verdicts = verdicts;
        this.libraries = verdicts.keySet().stream()
                .map(Cell::library)
                .distinct()
                .sorted()
                .toList();
        this.faults =
                verdicts.keySet().stream().map(Cell::fault).distinct().sorted().toList();
    }

    /** @param about what the run was, one fact a line */
    void write(Path folder, List<String> about) throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve("cells.csv"), csv());
        List<String> page =
                new ArrayList<>(about.stream().map(fact -> "- " + fact).toList());
        page.add("");
        page.addAll(totals());
        page.addAll(matrix("Sections that another one ran into: by the lease, by what was told", Results::overlaps));
        page.addAll(
                matrix("Sections that another one ran into because Redis had lost the lock", Results::redisOverlaps));
        page.addAll(matrix("Overtaken sections: told only by the release, never told, of all", Results::losses));
        page.addAll(matrix("Longest time a free lock was not given to a waiter, in seconds", Results::longestFree));
        page.addAll(matrix("Attempts that ended in an exception, of all", Results::failures));
        Files.write(folder.resolve("tables.md"), page);
        Files.write(folder.resolve("picture.svg"), new Picture(verdicts, libraries, faults).lines());
    }

    private List<String> csv() {
        List<String> lines = new ArrayList<>();
        lines.add("fault,library,"
                + Arrays.stream(Figure.values()).map(Figure::toString).collect(Collectors.joining(",")));
        verdicts.forEach((cell, verdict) -> lines.add(cell.fault() + "," + cell.library() + ","
                + Arrays.stream(Figure.values())
                        .map(figure -> String.valueOf(verdict.of(figure)))
                        .collect(Collectors.joining(","))));
        return lines;
    }

    private List<String> totals() {
        Map<String, Function<Verdict, String>> columns = new LinkedHashMap<>();
        columns.put("attempts", verdict -> number(verdict, Figure.ATTEMPTS));
        columns.put("sections", verdict -> number(verdict, Figure.GRANTED));
        columns.put("overlaps by lease, by told", Results::overlaps);
        columns.put("of Redis", Results::redisOverlaps);
        columns.put("tokens inverted (of Redis)", Results::tokens);
        columns.put("late, never told, of all overtaken", Results::losses);
        columns.put("longest free, s", Results::longestFree);
        columns.put("exceptions", verdict -> number(verdict, Figure.FAILED));
        columns.put("keys left", verdict -> number(verdict, Figure.KEYS_LEFT));
        columns.put("threads left", verdict -> number(verdict, Figure.THREADS_LEFT));
        columns.put("stuck", verdict -> number(verdict, Figure.STUCK));
        List<String> lines = new ArrayList<>();
        row(lines, "", columns.keySet());
        rule(lines, columns.size());
        for (Library library : libraries) {
            Verdict all = verdicts.entrySet().stream()
                    .filter(verdict -> verdict.getKey().library() == library)
                    .map(Map.Entry::getValue)
                    .reduce(Verdict.EMPTY, Verdict::and);
            row(
                    lines,
                    library.toString(),
                    columns.values().stream().map(column -> column.apply(all)).toList());
        }
        return lines;
    }

    private List<String> matrix(String title, Function<Verdict, String> text) {
        List<String> lines = new ArrayList<>(List.of("", "### " + title, ""));
        row(lines, "", libraries.stream().map(Library::toString).toList());
        rule(lines, libraries.size());
        for (Fault fault : faults) {
            row(
                    lines,
                    "`" + fault + "`",
                    libraries.stream()
                            .map(library -> verdicts.getOrDefault(new Cell(library, fault), Verdict.EMPTY))
                            .map(text)
                            .toList());
        }
        return lines;
    }

    private static void row(List<String> lines, String head, Iterable<String> cells) {
        lines.add("| " + head + " | " + String.join(" | ", cells) + " |");
    }

    private static void rule(List<String> lines, int columns) {
        lines.add("|---|" + "---|".repeat(columns));
    }

    private static String number(Verdict verdict, Figure figure) {
        return String.valueOf(verdict.of(figure));
    }

    /** Several numbers; a dash if all are 0. */
    private static String numbers(Verdict verdict, Figure... figures) {
        return Arrays.stream(figures).allMatch(figure -> verdict.of(figure) == 0)
                ? "–"
                : Arrays.stream(figures).map(figure -> number(verdict, figure)).collect(Collectors.joining(", "));
    }

    private static String overlaps(Verdict verdict) {
        String both = numbers(verdict, Figure.OVERLAPS_BY_LEASE, Figure.OVERLAPS_BY_TOLD);
        return both.equals("–") ? both : "**" + both + "**";
    }

    private static String redisOverlaps(Verdict verdict) {
        return numbers(verdict, Figure.OVERLAPS_BY_LEASE_OF_REDIS, Figure.OVERLAPS_BY_TOLD_OF_REDIS);
    }

    private static String tokens(Verdict verdict) {
        return numbers(verdict, Figure.TOKENS_INVERTED, Figure.TOKENS_INVERTED_OF_REDIS);
    }

    private static String losses(Verdict verdict) {
        return numbers(verdict, Figure.TOLD_LATE, Figure.UNTOLD, Figure.OVERTAKEN);
    }

    private static String failures(Verdict verdict) {
        return verdict.of(Figure.FAILED) == 0 ? "–" : verdict.of(Figure.FAILED) + " of " + verdict.of(Figure.ATTEMPTS);
    }

    static String longestFree(Verdict verdict) {
        return String.format("%.1f", verdict.of(Figure.LONGEST_FREE) / 1_000.0);
    }
}
