package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.micro.MicroBenchmarks;
import io.distributionlock.benchmarks.micro.MicroOptions;
import io.distributionlock.benchmarks.report.Report;
import io.distributionlock.benchmarks.simulation.Simulations;
import io.distributionlock.benchmarks.start.Starts;
import io.distributionlock.benchmarks.workers.Workers;
import io.distributionlock.benchmarks.workloads.ExclusionViolatedException;
import io.distributionlock.benchmarks.workloads.Place;
import io.distributionlock.benchmarks.workloads.Variant;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

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
        Path machine = folder.resolve(MACHINE);
        boolean adds = options.add() && Files.exists(machine);
        if (!adds) {
            file.write(List.of());
            Files.write(machine, List.of());
        }
        append(machine, Machine.describe(options));
        for (Place place : Place.values()) {
            measure(place, file, machine);
        }
        measureWithoutRedis(file);
        append(machine, Machine.after(file.read()));
        printResults(file.read(), folder);
    }

    private void measure(Place place, MeasurementFile file, Path machine) throws Exception {
        List<Variant> variants = options.variants().stream()
                .filter(variant -> variant.place() == place)
                .toList();
        if (variants.isEmpty()) {
            return;
        }
        try (Site site = new Site(place);
                Workers workers = new Workers(workerCommand(site.address()), logFolder(options.folder()))) {
            append(
                    machine,
                    List.of("server " + words(place) + ": " + site.meter().version()));
            new Rounds(options, site, workers, file, out).run(variants);
        }
    }

    private static String words(Place place) {
        return place.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void append(Path file, List<String> lines) throws IOException {
        Files.write(file, lines, StandardOpenOption.APPEND);
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

    private static List<String> workerCommand(Address redis) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName(),
                redis.toString());
    }
}
