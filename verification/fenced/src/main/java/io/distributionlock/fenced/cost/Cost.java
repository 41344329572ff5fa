package io.distributionlock.fenced.cost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures all ways in turns, and writes a table and the raw figures. */
final class Cost {

    private static final int INSTANCES = 2;

    /** Rounds that do not count. */
    private static final int WARM_UP = 3;

    /** Hikari's default. */
    private static final int POOL = 10;

    private static final List<Load> LOADS = Stream.of(1, 16, 64)
            .flatMap(callers -> Stream.of(new Load(callers, Servers.ROWS), new Load(callers, 1)))
            .toList();

    private final int rounds;
    private final Duration time;
    private final List<String> raw =
            new ArrayList<>(List.of("way,callers,rows,round,sections,seconds,lost updates,sections per second"));
    private final Map<Load, Map<Way, Load.Result>> sums = new HashMap<>();

    private Cost(int rounds, Duration time) {
        this.rounds = rounds;
        this.time = time;
    }

    /** @param arguments a folder, and how many rounds of how many milliseconds for each figure */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        long millis = arguments.length > 2 ? Long.parseLong(arguments[2]) : 200;
        Cost cost = new Cost(rounds, Duration.ofMillis(millis));
        String table = cost.measure();
        Files.write(folder.resolve("cost.csv"), cost.raw);
        Files.writeString(folder.resolve("cost.md"), table);
        System.out.println(table);
        System.exit(0);
    }

    private String measure() {
        try (Servers servers = new Servers()) {
            List<List<String>> table = new ArrayList<>();
            table.add(row("", way -> way.title));
            table.add(row("---", way -> "---"));
            Map<Way, List<String>> statements = statements(servers);
            table.add(row(
                    "statements a section, besides BEGIN and COMMIT",
                    way -> String.valueOf(
                            Objects.requireNonNull(statements.get(way)).size())));
            load(servers);
            table.add(row("a section of one caller: µs", way -> time(LOADS.get(0), way)));
            for (Load load : LOADS) {
                table.add(row(
                        load.callers() + (load.callers() == 1 ? " caller, " : " callers, ")
                                + (load.rows() == 1 ? "one row" : load.rows() + " rows") + ": sections/s",
                        way -> rate(load, way)));
            }
            Map<Way, String> crowds = crowds(servers);
            table.add(
                    row(Crowd.WAITING + " wait for one row: connections in use", way -> crowds.getOrDefault(way, "–")));
            return table.stream()
                            .map(cells -> "| " + String.join(" | ", cells) + " |")
                            .collect(Collectors.joining("\n", "", "\n"))
                    + "\n" + servers.version() + ", " + INSTANCES + " instances with " + POOL
                    + " connections each; "
                    + rounds + " rounds; in brackets, beside the row lock.\n";
        }
    }

    private interface Cells {
        String of(Way way);
    }

    private static List<String> row(String title, Cells cells) {
        return Stream.concat(Stream.of(title), Stream.of(Way.values()).map(cells::of))
                .toList();
    }

    /** Of the second section of a row: before the first, the guard has no row yet. */
    static Map<Way, List<String>> statements(Servers servers) {
        Map<Way, List<String>> statements = new EnumMap<>(Way.class);
        try (Instance instance = servers.instance(POOL)) {
            for (Way way : Way.values()) {
                instance.call(way, Servers.row(1), () -> {});
                servers.reset();
                instance.call(way, Servers.row(1), () -> {});
                statements.put(way, servers.statements());
            }
        }
        return statements;
    }

    /** The ways take turns of a moment, so that what else the machine does strikes all. */
    private void load(Servers servers) {
        List<Instance> instances = new ArrayList<>();
        try {
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(servers.instance(POOL));
            }
            for (int round = 1 - WARM_UP; round <= rounds; round++) {
                for (Load load : LOADS) {
                    for (Way way : Way.values()) {
                        Load.Result result = load.run(servers, instances, way, time);
                        note(round, load, way, result);
                    }
                }
                System.err.println("round " + round + " of " + rounds);
            }
        } finally {
            instances.forEach(Instance::close);
        }
    }

    private void note(int round, Load load, Way way, Load.Result result) {
        if (way.excludes() && result.lost() != 0) {
            throw new IllegalStateException(result.lost() + " updates were lost under " + way);
        }
        if (round > 0) {
            sums.computeIfAbsent(load, any -> new EnumMap<>(Way.class)).merge(way, result, Load.Result::plus);
            raw.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%d,%.3f,%d,%.1f",
                    way,
                    load.callers(),
                    load.rows(),
                    round,
                    result.sections(),
                    result.seconds(),
                    result.lost(),
                    result.perSecond()));
        }
    }

    private String rate(Load load, Way way) {
        double rate = sum(load, way).perSecond();
        return String.format(
                Locale.ROOT,
                "%,.0f (%.2f)",
                rate,
                rate / sum(load, Way.ROW_LOCK).perSecond());
    }

    private String time(Load load, Way way) {
        double micros = 1e6 / sum(load, way).perSecond();
        return String.format(
                Locale.ROOT,
                "%,.0f (%.2f)",
                micros,
                micros / 1e6 * sum(load, Way.ROW_LOCK).perSecond());
    }

    private Load.Result sum(Load load, Way way) {
        return Objects.requireNonNull(Objects.requireNonNull(sums.get(load)).get(way));
    }

    private Map<Way, String> crowds(Servers servers) {
        Map<Way, String> crowds = new EnumMap<>(Way.class);
        for (Way way : List.of(Way.ROW_LOCK, Way.LOCK, Way.GUARD)) {
            List<Integer> pools = way == Way.ROW_LOCK ? List.of(Crowd.WAITING + 20, POOL) : List.of(2);
            crowds.put(
                    way,
                    pools.stream()
                            .map(pool -> Crowd.gather(servers, way, pool))
                            .map(crowd -> crowd.connections() + " of " + crowd.pool()
                                    + (crowd.othersGetOne() ? "" : ", and no other query runs"))
                            .collect(Collectors.joining("; ")));
        }
        return crowds;
    }
}
