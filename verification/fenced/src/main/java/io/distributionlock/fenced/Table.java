package io.distributionlock.fenced;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results: of each guard on each database, and of each fault. */
final class Table {

    private static final Map<String, ToIntFunction<Tally>> SHORT = columns();
    private static final Map<String, ToIntFunction<Tally>> LONG = longColumns();

    private final Map<String, Map<Guard, Tally>> byDatabase = new LinkedHashMap<>();

    private static Map<String, ToIntFunction<Tally>> columns() {
        Map<String, ToIntFunction<Tally>> columns = new LinkedHashMap<>();
        columns.put("sections", tally -> tally.sections);
        columns.put("episodes", Tally::episodes);
        columns.put("overtaken", tally -> tally.overtaken);
        columns.put("done", tally -> tally.done);
        columns.put("refused", tally -> tally.refused);
        columns.put("failed", tally -> tally.failed);
        columns.put("unknown", tally -> tally.unknown);
        columns.put("of these committed", tally -> tally.unknownCommitted);
        columns.put("lies", tally -> tally.lies);
        columns.put("stale commits", tally -> tally.stale);
        columns.put("lost updates", tally -> tally.lost);
        return columns;
    }

    private static Map<String, ToIntFunction<Tally>> longColumns() {
        Map<String, ToIntFunction<Tally>> columns = columns();
        columns.put("smaller tokens", tally -> tally.smallerTokens);
        for (Manner manner : Manner.values()) {
            columns.put("committed by " + manner, tally -> tally.committed(manner));
        }
        for (Fault fault : Fault.values()) {
            columns.put("struck by " + fault, tally -> tally.struck(fault));
        }
        return columns;
    }

    void add(String database, Map<Guard, Tally> tallies) {
        byDatabase.put(database, tallies);
    }

    boolean has(String database) {
        return byDatabase.containsKey(database);
    }

    Map<Guard, Tally> of(String database) {
        return Objects.requireNonNull(byDatabase.get(database), database + " was left out");
    }

    int episodes() {
        return byDatabase.values().stream().mapToInt(Cell::episodes).sum();
    }

    /** Under the guard of the database, all that must not be: lost updates, stale commits and false reports. */
    int faultsOfTheGuard() {
        return byDatabase.values().stream()
                .map(tallies -> tallies.get(Guard.DATABASE))
                .mapToInt(tally -> tally.lost + tally.stale + tally.lies)
                .sum();
    }

    /** Everything. */
    String csv() {
        return Stream.concat(Stream.of(titles(LONG)), rows(LONG).stream())
                .map(row -> String.join(",", row))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** For people: first by database and guard, then over all databases. */
    String markdown() {
        return markdown(titles(SHORT), rows(SHORT)) + "\nStruck first by:\n\n"
                + sums(Fault.values(), Tally::struck) + "\nCommits by workers with:\n\n"
                + sums(Manner.values(), Tally::committed);
    }

    /** What was thrown, and how often. */
    String errors() {
        StringBuilder errors = new StringBuilder();
        byDatabase.forEach((database, tallies) -> tallies.forEach((guard, tally) -> errors.append(database)
                .append(" / ")
                .append(guard)
                .append(": ")
                .append(tally.errors)
                .append('\n')));
        return errors.toString();
    }

    private static List<String> titles(Map<String, ToIntFunction<Tally>> columns) {
        return Stream.concat(Stream.of("database", "guard"), columns.keySet().stream())
                .toList();
    }

    private List<List<String>> rows(Map<String, ToIntFunction<Tally>> columns) {
        List<List<String>> rows = new ArrayList<>();
        byDatabase.forEach((database, tallies) -> tallies.forEach((guard, tally) -> rows.add(Stream.concat(
                        Stream.of(database, guard.toString()),
                        columns.values().stream().map(column -> String.valueOf(column.applyAsInt(tally))))
                .toList())));
        return rows;
    }

    /** A row for each guard, over all databases. */
    private <T> String sums(T[] columns, BiFunction<Tally, T, Integer> count) {
        List<List<String>> rows = new ArrayList<>();
        for (Guard guard : Guard.values()) {
            List<String> row = new ArrayList<>(List.of(guard.toString()));
            for (T column : columns) {
                row.add(String.valueOf(byDatabase.values().stream()
                        .mapToInt(tallies -> count.apply(tallies.get(guard), column))
                        .sum()));
            }
            rows.add(row);
        }
        return markdown(
                Stream.concat(Stream.of("guard"), Stream.of(columns).map(Object::toString))
                        .toList(),
                rows);
    }

    private static String markdown(List<String> titles, List<List<String>> rows) {
        List<List<String>> all = new ArrayList<>(List.of(titles));
        all.add(titles.stream().map(title -> "---").toList());
        all.addAll(rows);
        return all.stream()
                .map(row -> "| " + String.join(" | ", row) + " |")
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
