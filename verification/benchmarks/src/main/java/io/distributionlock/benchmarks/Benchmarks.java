package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.micro.MicroBenchmarks;
import io.distributionlock.benchmarks.micro.MicroOptions;
import io.distributionlock.benchmarks.report.Report;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.simulation.Simulations;
import io.distributionlock.benchmarks.start.Starts;
import io.distributionlock.benchmarks.workers.Workers;
import io.distributionlock.benchmarks.workloads.ExclusionViolatedException;
import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The coordinator: starts a Redis and the workers, leads the rounds of all contestants in turn, and writes the results. Exits with 1 if
 * exclusion was violated, with 2 if an option is wrong.
 */
public final class Benchmarks {

    static final String MEASUREMENTS = "measurements.csv";
    static final String MACHINE = "machine.txt";
    static final String GOALS = "goals.md";
    static final String RESULTS = "results.md";

    private static final int STARTS = 30;

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
        MeasurementFile file = new MeasurementFile(folder.resolve(MEASUREMENTS));
        file.write(List.of());
        try (RedisProcess server = RedisProcess.start(RedisBinary.INSTALLED);
                RedisMeter redis = new RedisMeter(server.port());
                Workers workers = new Workers(workerCommand(server.port()), logFolder(folder))) {
            Files.write(folder.resolve(MACHINE), Machine.describe(options, redis.version()));
            new Rounds(options, redis, workers, file, out).run();
        }
        measureWithoutRedis(file);
        printResults(file.read(), folder);
    }

    /** After the workers have ended, so that nothing runs beside the microbenchmarks; the simulation reads what was measured. */
    private void measureWithoutRedis(MeasurementFile file) {
        if (options.includesWorkload(Starts.START)) {
            out.println("Starts");
            file.append(Starts.run(options.quick() ? 1 : STARTS));
        }
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

    private void printResults(List<Measurement> measurements, Path folder) throws Exception {
        // The numbers of a quick run mean nothing and are not judged.
        String table = new Goals(options.quick() ? List.of() : measurements).markdown();
        Files.writeString(folder.resolve(GOALS), table);
        Report.write(folder.resolve(MEASUREMENTS), folder.resolve(MACHINE), folder);
        out.println();
        out.print(table);
        out.println();
        out.println("Tables and charts: " + folder.resolve(RESULTS));
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
