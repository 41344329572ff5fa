package io.distributionlock.rack;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells, several at once in lanes of their own, because a cell mostly waits. Options: {@code --library}, {@code --fault} (names,
 * separated by commas; everything by default), {@code --seed}, {@code --episodes}, {@code --lanes}, {@code --out}.
 */
public final class Rack {

    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::fault).thenComparing(Cell::library);

    private static final Pattern LIBRARY = Pattern.compile(
            "(redisson|lettuce-core|lock4j-core|spring-integration-redis|shedlock-core|spring-boot|lock-redis)"
                    + "-[0-9.]+.*(?<!tests)\\.jar");

    private final long seed;
    private final int episodes;
    private final Path out;
    private final Queue<Cell> cells = new ConcurrentLinkedQueue<>();
    private final Map<Cell, Verdict> verdicts = new ConcurrentSkipListMap<>(ORDER);
    private final double loadBefore = load();
    private long seconds;
    private final List<String> problems = new ArrayList<>();

    private Rack(Map<String, String> options) {
        this.seed = Long.parseLong(options.getOrDefault("seed", String.valueOf(System.currentTimeMillis() % 100_000)));
        this.out = Path.of(options.getOrDefault("out", "target/faults"));
        this.episodes = Integer.parseInt(options.getOrDefault("episodes", "0"));
        List<Library> libraries = named(Library.values(), options.get("library"));
        List<Fault> faults = named(Fault.values(), options.get("fault"));
        for (Fault fault : faults) {
            libraries.forEach(library -> cells.add(new Cell(library, fault)));
        }
    }

    /** Those whose names are there, separated by commas; all, if there are none. */
    static <T> List<T> named(T[] all, @Nullable String names) {
        List<T> named = Arrays.stream(all)
                .filter(each -> names == null || List.of(names.split(",")).contains(each.toString()))
                .toList();
        if (names != null && named.size() != names.split(",").length) {
            throw new IllegalArgumentException("Not all of '" + names + "' are among " + Arrays.toString(all));
        }
        return named;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        Rack rack = new Rack(options);
        int lanes = Integer.parseInt(options.getOrDefault("lanes", "4"));
        rack.run(lanes);
        rack.write(lanes);
        System.exit(rack.problems.isEmpty() ? 0 : 1);
    }

    private void run(int lanes) throws InterruptedException {
        long begin = System.nanoTime();
        System.out.println("Seed " + seed + ", " + cells.size() + " cells");
        List<Thread> threads = new ArrayList<>();
        for (int lane = 0; lane < Math.min(lanes, cells.size()); lane++) {
            Thread thread = new Thread(this::runLane, "lane-" + lane);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        System.out.println("Took " + seconds + " s, load " + load());
        problems.forEach(System.out::println);
    }

    private void runLane() {
        try (Witness witness = new Witness()) {
            Workers workers = new Workers(witness);
            for (Cell cell = cells.poll(); cell != null; cell = cells.poll()) {
                try {
                    Verdict verdict = cell.run(workers, witness, seed, episodes, out.resolve("histories"));
                    verdicts.put(cell, verdict);
                    System.out.println(cell + ": " + verdict);
                } catch (RuntimeException | AssertionError failed) {
                    failed.printStackTrace();
                    problems.add(cell + ": " + failed);
                    workers.close();
                    workers = new Workers(witness);
                }
            }
            workers.close();
        }
    }

    private void write(int lanes) throws IOException {
        new Results(verdicts)
                .write(
                        out,
                        List.of(
                                "run: " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + ", seed " + seed + ", "
                                        + verdicts.size() + " cells in " + lanes + " lanes, " + seconds + " s",
                                "machine: " + Runtime.getRuntime().availableProcessors()
                                        + " cores, load before the run " + loadBefore + ", Java " + Runtime.version(),
                                "libraries: " + String.join(", ", libraries())));
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static List<String> libraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> new File(entry).getName())
                .filter(name -> LIBRARY.matcher(name).matches())
                .map(name -> name.replaceAll("\\.jar$", ""))
                .sorted()
                .toList();
    }
}
