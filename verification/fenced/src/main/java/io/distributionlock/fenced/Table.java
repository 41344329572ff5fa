package io.distributionlock.fenced;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results: a row for each database and guard. */
final class Table {

    private static final List<String> BEFORE = List.of("database", "guard", "sections", "episodes");
    private static final List<String> AFTER = List.of(
            "overtaken",
            "done",
            "refused",
            "failed",
            "unknown",
            "unknown done",
            "lies",
            "lost updates",
            "stale commits");

    private final Map<String, Map<Guard, Tally>> byDatabase = new LinkedHashMap<>();

    void add(String database, Map<Guard, Tally> tallies) {
        byDatabase.put(database, tallies);
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
                .mapToInt(tally -> Math.abs(tally.lost) + tally.stale + tally.lies)
                .sum();
    }

    String csv() {
        return Stream.concat(Stream.of(titles()), rows().stream())
                .map(row -> String.join(",", row))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    String markdown() {
        List<List<String>> all = new ArrayList<>();
        all.add(titles());
        all.add(titles().stream().map(title -> "---").toList());
        all.addAll(rows());
        return all.stream()
                .map(row -> "| " + String.join(" | ", row) + " |")
                .collect(Collectors.joining("\n", "", "\n"));
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

    private static List<String> titles() {
        return Stream.of(BEFORE.stream(), Arrays.stream(Fault.values()).map(Fault::toString), AFTER.stream())
                .flatMap(titles -> titles)
                .toList();
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        byDatabase.forEach(
                (database, tallies) -> tallies.forEach((guard, tally) -> rows.add(row(database, guard, tally))));
        return rows;
    }

    private static List<String> row(String database, Guard guard, Tally tally) {
        List<Object> row = new ArrayList<>(List.of(database, guard, tally.sections, tally.episodes()));
        for (Fault fault : Fault.values()) {
            row.add(tally.struck(fault));
        }
        row.addAll(List.of(
                tally.overtaken,
                tally.done,
                tally.refused,
                tally.failed,
                tally.unknown,
                tally.unknownCommitted,
                tally.lies,
                tally.lost,
                tally.stale));
        return row.stream().map(String::valueOf).toList();
    }
}
