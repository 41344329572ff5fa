package io.distributionlock.rack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Episodes of one run or of many as {@code episodes.csv}, {@code cells.csv}, {@code judges.csv}, {@code tables.md} and
 * {@code picture.svg}.
 */
final class Results {

    /** What verification/judge writes: the key of an episode, and Porcupine's opinion of it. */
    static final String PORCUPINE = "porcupine.csv";

    private final List<Row> rows;
    private final Map<String, Opinion> porcupine;

    /** The tables speak of the server that was struck most. */
    private final String server;

    private Results(List<Row> rows, Map<String, Opinion> porcupine) {
        this.rows = rows.stream()
                .sorted(Comparator.<Row, String>comparing(row -> row.stamp().server())
                        .thenComparing(row -> row.cell().fault())
                        .thenComparing(row -> row.cell().library())
                        .thenComparing(row -> row.stamp().seed())
                        .thenComparing(Row::episode))
                .toList();
        this.porcupine = porcupine;
        this.server = rows.stream()
                .filter(row -> row.cell().library().world != World.CONSENSUS)
                .collect(Collectors.groupingBy(row -> row.stamp().server(), TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /** Adds up all that is found in folders and files; an episode that is found twice counts once. */
    static Results pool(List<Path> places) {
        Map<String, Row> rows = new LinkedHashMap<>();
        Map<String, Opinion> porcupine = new HashMap<>();
        for (Path place : places) {
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".csv"))
                        .sorted()
                        .toList()) {
                    if (file.endsWith(PORCUPINE)) {
                        readPorcupine(file, porcupine);
                    } else {
                        Row.read(file).forEach(row -> rows.put(row.key(), row));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        List<String> sources = rows.values().stream()
                .map(row -> row.stamp().sources())
                .distinct()
                .toList();
        if (sources.size() > 1) {
            throw new IllegalArgumentException(
                    "These are figures of different code, which cannot be added up: " + sources);
        }
        return new Results(List.copyOf(rows.values()), porcupine);
    }

    private static void readPorcupine(Path file, Map<String, Opinion> opinions) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split(",", -1);
            opinions.put(fields[0], new Opinion(Opinion.Level.parse(fields[1]), Opinion.Level.parse(fields[2])));
        }
    }

    /** @param about what the run was, one fact a line */
    void write(Path folder, List<String> about) throws IOException {
        Files.createDirectories(folder);
        Row.write(rows, folder.resolve("episodes.csv"));
        Files.write(folder.resolve("cells.csv"), cells());
        Files.write(folder.resolve("judges.csv"), judgesByCell());
        List<String> page =
                new ArrayList<>(about.stream().map(fact -> "- " + fact).toList());
        tables().forEach((title, table) -> {
            page.addAll(List.of("", "### " + title, ""));
            page.addAll(table);
        });
        Files.write(folder.resolve("tables.md"), page);
        Files.write(folder.resolve("picture.svg"), picture());
    }

    List<String> picture() {
        return new Picture(pooled(this::isMain)).lines();
    }

    /** The episodes of which a judge says something else than another. */
    List<String> disagreements() {
        return rows.stream().filter(this::disagree).map(Row::key).toList();
    }

    /** In how many episodes each judge found two holders for which there is no excuse. */
    List<Long> convictionsOf(Library library) {
        Pooled pooled = new Pooled(
                rows.stream().filter(row -> row.cell().library() == library).toList());
        return everyJudge()
                .map(judge -> pooled.episodes(judge, Opinion.Level.BROKEN))
                .toList();
    }

    /** The own one, Lincheck and Porcupine. */
    private Stream<Function<Row, Opinion.Level>> everyJudge() {
        return Stream.of(
                row -> row.own().worst(),
                row -> row.lincheck().worst(),
                row -> porcupine(row).worst());
    }

    private boolean isMain(Row row) {
        return row.stamp().server().equals(server) || row.cell().library().world == World.CONSENSUS;
    }

    private Map<Cell, Pooled> pooled(Predicate<Row> which) {
        Map<Cell, Pooled> pooled = new LinkedHashMap<>();
        rows.stream()
                .filter(which)
                .collect(Collectors.groupingBy(Row::cell, LinkedHashMap::new, Collectors.toList()))
                .forEach((cell, its) -> pooled.put(cell, new Pooled(its)));
        return pooled;
    }

    private Map<String, Pooled> byServerAndCell() {
        Map<String, Pooled> pooled = new LinkedHashMap<>();
        rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.stamp().server() + "," + row.cell().fault() + ","
                                + row.cell().library(),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .forEach((cell, its) -> pooled.put(cell, new Pooled(its)));
        return pooled;
    }

    private List<String> cells() {
        List<String> lines = new ArrayList<>();
        lines.add("server,fault,library,episodes,broken-episodes,episodes-of-redis,median-longest-free,"
                + Arrays.stream(Figure.values()).map(Figure::toString).collect(Collectors.joining(",")));
        byServerAndCell()
                .forEach((cell, pooled) -> lines.add(cell + "," + pooled.episodes() + "," + pooled.broken() + ","
                        + pooled.ofRedis() + "," + pooled.medianFree() + ","
                        + Arrays.stream(Figure.values())
                                .map(figure -> String.valueOf(pooled.verdict().of(figure)))
                                .collect(Collectors.joining(","))));
        return lines;
    }

    /** The judges side by side: in how many episodes each one convicts, and how many episodes they do not agree on. */
    private List<String> judgesByCell() {
        List<String> lines =
                new ArrayList<>(List.of("server,fault,library,episodes,own-broken,lincheck-broken,porcupine-broken,"
                        + "own-redis,lincheck-redis,porcupine-redis,asked-porcupine,disagreed"));
        byServerAndCell()
                .forEach((cell, pooled) -> lines.add(cell + "," + pooled.episodes() + "," + judges(pooled, ",")));
        return lines;
    }

    private String judges(Pooled pooled, String between) {
        List<Long> numbers = new ArrayList<>();
        for (Opinion.Level level : List.of(Opinion.Level.BROKEN, Opinion.Level.REDIS)) {
            everyJudge().forEach(judge -> numbers.add(pooled.episodes(judge, level)));
        }
        numbers.add(pooled.rows().stream()
                .filter(row -> porcupine.containsKey(row.key()))
                .count());
        numbers.add(pooled.rows().stream().filter(this::disagree).count());
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(between));
    }

    private Opinion porcupine(Row row) {
        return porcupine.getOrDefault(row.key(), new Opinion(Opinion.Level.CLEAN, Opinion.Level.CLEAN));
    }

    private boolean disagree(Row row) {
        return !row.own().equals(row.lincheck())
                || porcupine.containsKey(row.key()) && !row.own().equals(porcupine.get(row.key()));
    }

    /** Those of the page, by their titles. */
    Map<String, List<String>> tables() {
        Map<Cell, Pooled> main = pooled(this::isMain);
        Map<String, List<String>> tables = new LinkedHashMap<>();
        for (boolean redis : new boolean[] {true, false}) {
            Predicate<Cell> which = cell -> (cell.library().world == World.REDIS) == redis;
            String where = redis ? "" : ", over three servers";
            tables.put("Episodes with two holders" + where, matrix(main, which, Results::holders));
            tables.put(
                    "Longest time a free lock was not given to a waiter" + where, matrix(main, which, Results::free));
            tables.put("Attempts that ended in an exception" + where, matrix(main, which, Results::failures));
        }
        tables.put("Totals", totals(main));
        tables.put(
                "Totals of failovers",
                totals(pooled(row -> isMain(row) && row.cell().fault().isFailover())));
        tables.put("Other servers", others());
        tables.put("The judges side by side", judgesByLibrary());
        tables.values().removeIf(table -> table.size() < 3);
        return tables;
    }

    private static List<String> matrix(Map<Cell, Pooled> pooled, Predicate<Cell> which, Function<Pooled, String> text) {
        List<Library> libraries = pooled.keySet().stream()
                .filter(which)
                .map(Cell::library)
                .distinct()
                .sorted()
                .toList();
        List<String> lines = new ArrayList<>();
        row(lines, "", libraries.stream().map(Library::toString).toList());
        rule(lines, libraries.size());
        pooled.keySet().stream()
                .filter(which)
                .map(Cell::fault)
                .distinct()
                .sorted()
                .forEach(fault -> {
                    List<String> cells = libraries.stream()
                            .map(library -> pooled.get(new Cell(library, fault)))
                            .map(each -> each == null ? "" : text.apply(each))
                            .toList();
                    if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                        row(lines, "`" + fault + "`", cells);
                    }
                });
        return lines;
    }

    private static List<String> totals(Map<Cell, Pooled> cells) {
        Map<String, Function<Pooled, String>> columns = new LinkedHashMap<>();
        columns.put("two holders/episodes", Results::holders);
        columns.put("sections", pooled -> number(pooled, Figure.GRANTED));
        columns.put(
                "tokens inverted", pooled -> numbers(pooled, Figure.TOKENS_INVERTED, Figure.TOKENS_INVERTED_OF_REDIS));
        columns.put(
                "overtaken: late, never, all",
                pooled -> numbers(pooled, Figure.TOLD_LATE, Figure.UNTOLD, Figure.OVERTAKEN));
        columns.put("longest free", Results::free);
        columns.put("left: keys, threads", pooled -> numbers(pooled, Figure.KEYS_LEFT, Figure.THREADS_LEFT));
        columns.put("stuck", pooled -> number(pooled, Figure.STUCK));
        List<String> lines = new ArrayList<>();
        row(lines, "", columns.keySet());
        rule(lines, columns.size());
        byLibrary(cells)
                .forEach((library, pooled) -> row(
                        lines,
                        library.toString(),
                        columns.values().stream()
                                .map(column -> column.apply(pooled))
                                .toList()));
        return lines;
    }

    private static Map<Library, Pooled> byLibrary(Map<Cell, Pooled> cells) {
        Map<Library, Pooled> pooled = new TreeMap<>();
        cells.forEach((cell, each) -> pooled.merge(
                cell.library(),
                each,
                (one, other) -> new Pooled(Stream.concat(one.rows().stream(), other.rows().stream())
                        .toList())));
        return pooled;
    }

    /** On each other server: failovers, then the other faults. */
    private List<String> others() {
        List<String> servers = rows.stream()
                .filter(row -> !isMain(row))
                .map(row -> row.stamp().server())
                .distinct()
                .sorted()
                .toList();
        List<String> lines = new ArrayList<>();
        row(
                lines,
                "",
                servers.stream()
                        .flatMap(each -> Stream.of(each + ", failovers", each + ", other faults"))
                        .toList());
        rule(lines, servers.size() * 2);
        byLibrary(pooled(row -> !isMain(row)))
                .forEach((library, pooled) -> row(
                        lines,
                        library.toString(),
                        servers.stream()
                                .flatMap(each -> Stream.of(true, false)
                                        .map(failover -> holders(new Pooled(pooled.rows().stream()
                                                .filter(row -> row.stamp()
                                                                .server()
                                                                .equals(each)
                                                        && row.cell().fault().isFailover() == failover)
                                                .toList()))))
                                .toList()));
        return servers.isEmpty() ? List.of() : lines;
    }

    private List<String> judgesByLibrary() {
        List<String> lines = new ArrayList<>();
        row(
                lines,
                "",
                List.of(
                        "episodes",
                        "convicted: own",
                        "Lincheck",
                        "Porcupine",
                        "of Redis: own",
                        "Lincheck",
                        "Porcupine",
                        "asked Porcupine",
                        "disagreed"));
        rule(lines, 9);
        byLibrary(pooled(row -> true))
                .forEach((library, pooled) ->
                        lines.add("| " + library + " | " + pooled.episodes() + " | " + judges(pooled, " | ") + " |"));
        return lines;
    }

    private static void row(List<String> lines, String head, Iterable<String> cells) {
        lines.add("| " + head + " | " + String.join(" | ", cells) + " |");
    }

    private static void rule(List<String> lines, int columns) {
        lines.add("|---|" + "---|".repeat(columns));
    }

    private static String number(Pooled pooled, Figure figure) {
        return String.valueOf(pooled.verdict().of(figure));
    }

    /** Several numbers; a dash if all are 0. */
    private static String numbers(Pooled pooled, Figure... figures) {
        Verdict verdict = pooled.verdict();
        return Arrays.stream(figures).allMatch(figure -> verdict.of(figure) == 0)
                ? "–"
                : Arrays.stream(figures)
                        .map(figure -> String.valueOf(verdict.of(figure)))
                        .collect(Collectors.joining(", "));
    }

    /** {@code 2/30}: in two of thirty episodes. {@code 0+4/30}: in four more, because Redis had lost the lock. */
    private static String holders(Pooled pooled) {
        if (pooled.episodes() == 0) {
            return "";
        }
        String broken = pooled.broken() == 0 ? "0" : "**" + pooled.broken() + "**";
        return broken + (pooled.ofRedis() == 0 ? "" : "+" + pooled.ofRedis()) + "/" + pooled.episodes();
    }

    private static String free(Pooled pooled) {
        return seconds(pooled.medianFree()) + ", " + seconds(pooled.verdict().of(Figure.LONGEST_FREE));
    }

    private static String failures(Pooled pooled) {
        Verdict verdict = pooled.verdict();
        return verdict.of(Figure.FAILED) == 0
                ? "–"
                : Math.max(1, Math.round(100.0 * verdict.of(Figure.FAILED) / verdict.of(Figure.ATTEMPTS))) + " %";
    }

    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f", millis / 1_000.0);
    }
}
