package io.distributionlock.rack;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.apache.zookeeper.Version;
import org.jspecify.annotations.Nullable;

/**
 * Runs the cells, several at once in lanes of their own, because a cell mostly waits. A cell that was run before with the same seed, and
 * on the same server, is left out, so that a run can be interrupted, and spread over several days. Options: {@code --library},
 * {@code --fault} (names, separated by commas; everything by default), {@code --seed}, {@code --episodes}, {@code --full true},
 * {@code --lanes}, {@code --out}; {@code --pool} (folders, separated by commas) runs nothing and adds up what is there.
 */
public final class Rack {

    private static final Pattern LIBRARY = Pattern.compile(
            "(redisson|lettuce-core|lock4j-core|spring-integration-redis|shedlock-core|spring-boot|lock-redis"
                    + "|curator-recipes|zookeeper|lincheck)-[0-9.]+.*(?<!tests)\\.jar");

    /** How often a cell is struck in a full run: so many seeds, with so many episodes each. */
    private static final int[] FULL_OF_FAILOVER = {3, 10};

    private static final int[] FULL = {2, 5};

    private final Map<String, String> options;
    private final Path out;
    private final String server;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    private final double loadBefore = load();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    /** A part of a run that is written down when it is done. */
    private record Task(Cell cell, long seed, int episodes) {}

    private Rack(Map<String, String> options) {
        this.options = options;
        this.out = Path.of(options.getOrDefault("out", "target/faults"));
        this.server = Site.versionOfRedis();
        long seed = Long.parseLong(options.getOrDefault("seed", String.valueOf(System.currentTimeMillis() % 100_000)));
        int episodes = Integer.parseInt(options.getOrDefault("episodes", "0"));
        boolean full = Boolean.parseBoolean(options.get("full"));
        List<Library> libraries = named(Library.values(), options.get("library"));
        List<Fault> faults = named(Fault.values(), options.get("fault"));
        // Seed after seed, so that a run that is interrupted has struck all alike.
        for (int part = 0; part < (full ? FULL_OF_FAILOVER[0] : 1); part++) {
            for (Fault fault : faults) {
                int[] often = fault.isFailover() ? FULL_OF_FAILOVER : FULL;
                int most = full ? often[1] : fault.episodes;
                for (Library library : libraries) {
                    Task task = new Task(new Cell(library, fault), seed + part, episodes == 0 ? most : episodes);
                    if (part < often[0] && fault.strikes(library) && !Files.exists(file(task))) {
                        tasks.add(task);
                    }
                }
            }
        }
    }

    private Path file(Task task) {
        return out.resolve("parts").resolve(server(task)).resolve(task.cell.fileName() + "-" + task.seed + ".csv");
    }

    private String server(Task task) {
        return task.cell.library().world == World.CONSENSUS ? "zookeeper-" + Version.getVersion() : server;
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
        if (options.containsKey("pool")) {
            Path out = Path.of(options.getOrDefault("out", "target/faults"));
            Results.pool(Arrays.stream(options.get("pool").split(","))
                            .map(Path::of)
                            .toList())
                    .write(out, List.of());
            System.exit(0);
        }
        Rack rack = new Rack(options);
        rack.run(Integer.parseInt(options.getOrDefault("lanes", "4")));
        System.exit(rack.problems.isEmpty() ? 0 : 1);
    }

    private void run(int lanes) throws InterruptedException, IOException {
        long begin = System.nanoTime();
        Files.createDirectories(out.resolve("parts"));
        Files.deleteIfExists(out.resolve("stop"));
        int count = tasks.size();
        System.out.println(count + " cells on " + server);
        List<Thread> threads = new ArrayList<>();
        for (int lane = 0; lane < Math.min(lanes, count); lane++) {
            Thread thread = new Thread(this::runLane, "lane-" + lane);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
        System.out.println("Took " + seconds + " s, load " + load());
        problems.forEach(System.out::println);
        Results.pool(List.of(out.resolve("parts")))
                .write(
                        out,
                        List.of(
                                "run: " + Instant.now().truncatedTo(ChronoUnit.SECONDS) + ", " + count + " cells in "
                                        + lanes + " lanes, " + seconds + " s",
                                "machine: " + Runtime.getRuntime().availableProcessors()
                                        + " cores, load before the run " + loadBefore + ", Java " + Runtime.version(),
                                "libraries: " + String.join(", ", libraries())));
    }

    private void runLane() {
        try (Witness witness = new Witness()) {
            Workers workers = new Workers(witness);
            for (Task task = tasks.poll(); task != null && !isStopped(); task = tasks.poll()) {
                Row.Stamp stamp = new Row.Stamp(
                        server(task),
                        task.seed,
                        options.getOrDefault("commit", "unknown"),
                        options.getOrDefault("sources", "unknown"));
                Path histories = out.resolve("histories").resolve(stamp.server());
                List<Row> rows = new ArrayList<>();
                try {
                    task.cell.run(workers, witness, stamp, task.episodes, histories, rows);
                } catch (RuntimeException | AssertionError failed) {
                    failed.printStackTrace();
                    problems.add(task.cell + ": " + failed);
                    workers.close();
                    workers = new Workers(witness);
                }
                if (!rows.isEmpty()) {
                    Row.write(rows, file(task));
                    System.out.println(task.cell + ": " + rows.size() + " episodes, "
                            + rows.stream().map(Row::verdict).reduce(Verdict.EMPTY, Verdict::and));
                }
            }
            workers.close();
        }
    }

    /** A file of this name ends a run in an orderly way: with the cells that are under way. */
    private boolean isStopped() {
        return Files.exists(out.resolve("stop"));
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
