package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.micro.MicroBenchmarks;
import io.distributionlock.benchmarks.micro.MicroOptions;
import io.distributionlock.benchmarks.report.Report;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.server.RedisServer;
import io.distributionlock.benchmarks.simulation.Simulations;
import io.distributionlock.benchmarks.workers.Workers;
import io.distributionlock.benchmarks.workloads.ExclusionViolatedException;
import io.distributionlock.benchmarks.workloads.Round;
import io.distributionlock.benchmarks.workloads.Scale;
import io.distributionlock.benchmarks.workloads.Variant;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The coordinator: starts a Redis and the workers, leads the rounds of all contestants in turn, and writes what was measured. Ends
 * with 1 if exclusion was violated, with 2 if the options cannot be understood.
 */
public final class Benchmarks {

    static final String MEASUREMENTS = "measurements.csv";
    static final String MACHINE = "machine.txt";
    static final String GOALS = "goals.md";
    static final String RESULTS = "results.md";

    /** More workers of a contestant than that are ended when the variant that needed them is over. */
    private static final int KEPT_WORKERS = 2;

    private final Options options;
    private final PrintStream out;

    Benchmarks(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments, System.out));
    }

    static int run(String[] arguments, PrintStream out) throws Exception {
        Options options;
        try {
            options = Options.parse(arguments);
        } catch (IllegalArgumentException unclear) {
            out.println(unclear.getMessage());
            out.print(Options.USAGE);
            return 2;
        }
        try {
            new Benchmarks(options, out).run();
            return 0;
        } catch (ExclusionViolatedException violated) {
            out.println("FAILED: " + violated.getMessage());
            return 1;
        }
    }

    void run() throws Exception {
        Path folder = Files.createDirectories(options.folder());
        try (RedisServer server = RedisServer.start(options.redis(), folder)) {
            Thread endServer = new Thread(server::close);
            Runtime.getRuntime().addShutdownHook(endServer);
            try (RedisMeter redis = new RedisMeter(server.port());
                    Workers workers = new Workers(workerCommand(server.port()), logFolder(folder))) {
                Files.write(folder.resolve(MACHINE), Machine.describe(options, redis.version()));
                MeasurementFile file = new MeasurementFile(folder.resolve(MEASUREMENTS));
                measure(redis, workers, file);
            }
            Runtime.getRuntime().removeShutdownHook(endServer);
        }
        MeasurementFile file = new MeasurementFile(folder.resolve(MEASUREMENTS));
        addWhatNeedsNoRedis(file);
        tellResults(file.read(), folder);
    }

    /** After the workers have ended, so that nothing runs beside the microbenchmarks; the simulation reads what was measured. */
    private void addWhatNeedsNoRedis(MeasurementFile file) {
        if (options.includesWorkload(Options.MICRO)) {
            out.println("Microbenchmarks");
            file.append(MicroBenchmarks.run(options.quick() ? MicroOptions.quick() : MicroOptions.thorough()));
        }
        if (options.includesWorkload(Options.SIMULATION)) {
            out.println("Simulation");
            int cores = Runtime.getRuntime().availableProcessors();
            file.append(Simulations.run(options.quick(), file.read(), cores));
        }
    }

    private void measure(RedisMeter redis, Workers workers, MeasurementFile file) throws Exception {
        file.write(List.of());
        Workloads workloads = new Workloads(new Scale(options.quick(), options.seconds()));
        if (!options.quick()) {
            measure(workloads.warmUp(), 0, 0, redis, workers, file);
        }
        for (Variant variant : workloads.all()) {
            if (options.includesWorkload(variant.workload())) {
                int rounds = Math.min(options.rounds(), variant.mostRounds());
                // The first round warms up; a quick run is not read for its numbers.
                measure(variant, options.quick() ? 1 : 0, rounds, redis, workers, file);
                workers.keepAtMost(KEPT_WORKERS);
            }
        }
    }

    private void measure(
            Variant variant, int firstRound, int lastRound, RedisMeter redis, Workers workers, MeasurementFile file)
            throws Exception {
        List<String> contestants = contestantsOf(variant);
        for (int number = firstRound; number <= lastRound; number++) {
            for (String contestant : contestants) {
                Round round =
                        new Round(variant, contestant, number, workers.of(contestant, variant.processes()), redis);
                List<Measurement> measurements = round.run();
                file.append(measurements);
                print(variant, contestant, number, measurements);
            }
            // Nobody always comes first, or after the same one.
            Collections.rotate(contestants, 1);
        }
    }

    private void tellResults(List<Measurement> measurements, Path folder) throws Exception {
        // The numbers of a quick run say nothing, and are not judged.
        String table = new Goals(options.quick() ? List.of() : measurements).markdown();
        Files.writeString(folder.resolve(GOALS), table);
        Report.write(folder.resolve(MEASUREMENTS), folder.resolve(MACHINE), folder);
        out.println();
        out.print(table);
        out.println();
        out.println("Tables and charts: " + folder.resolve(RESULTS));
    }

    private List<String> contestantsOf(Variant variant) {
        List<String> contestants = new ArrayList<>(variant.contestants().stream()
                .filter(options::includesContestant)
                .toList());
        if (options.contestants().contains(Contestants.BROKEN)) {
            contestants.add(Contestants.BROKEN);
        }
        return contestants;
    }

    private void print(Variant variant, String contestant, int number, List<Measurement> measurements) {
        if (number > 0) {
            out.printf("%-12s %-20s round %d  %-18s", variant.workload(), variant.name(), number, contestant);
            measurements.stream()
                    .limit(3)
                    .forEach(measured ->
                            out.printf("  %s %,.1f %s", measured.metric(), measured.value(), measured.unit()));
            out.println();
        }
    }

    private static Path logFolder(Path folder) throws Exception {
        return Files.createDirectories(folder.resolve("logs"));
    }

    private static List<String> workerCommand(int port) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                String.valueOf(port));
    }
}
