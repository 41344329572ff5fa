package io.distributionlock.benchmarks.simulation;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Everything that is simulated, as measurements. */
public final class Simulations {

    /** The designs that it is compared with. */
    public static final String BROADCAST = "broadcast";

    public static final String POLLING = "polling";

    static final String HOT_NAME = "simulation hot name";
    static final String STEADY = "simulation steady demand";
    static final String CLUSTER = "simulation cluster";
    static final String HELD = "calculation held names";

    private static final int USUAL_PROCESSES = 100;
    private static final int STEADY_SECTIONS_PER_SECOND = 300;
    private static final int MILLION = 1_000_000;
    private static final int ONLY_ROUND = 1;

    private final boolean quick;
    private final Measured measured;
    private final Costs costs;
    private final List<Measurement> results = new ArrayList<>();

    private Simulations(boolean quick, List<Measurement> measurements) {
        this.quick = quick;
        this.measured = new Measured(measurements);
        this.costs = costs(measured);
    }

    /**
     * Simulates for some minutes, or some seconds if quick. Needs no Redis. Takes the costs of commands from the measurements where
     * they contain them, and checks against the measurements; they may be empty.
     *
     * @param cores the cores of the measured machine
     */
    public static List<Measurement> run(boolean quick, List<Measurement> measurements, int cores) {
        return new Simulations(quick, measurements).run(cores);
    }

    /** {@code [--quick] [measurements.csv]}: what is simulated is added to the file, or printed if there is none. */
    public static void main(String[] arguments) {
        List<String> words = new ArrayList<>(List.of(arguments));
        boolean quick = words.remove("--quick");
        int cores = Runtime.getRuntime().availableProcessors();
        if (words.isEmpty()) {
            run(quick, List.of(), cores).forEach(System.out::println);
        } else {
            MeasurementFile file = new MeasurementFile(Path.of(words.get(0)));
            file.append(run(quick, file.read(), cores));
        }
    }

    /** A busy Redis takes less for a command than an idle one, which goes to sleep between two of them. */
    private static Costs costs(Measured measured) {
        OptionalDouble script = measured.redisMicrosPerCommand(measured.mostThreads());
        Costs usual = Costs.USUAL;
        if (script.isEmpty()) {
            return usual;
        }
        double scale = script.getAsDouble() / usual.script();
        return new Costs(
                script.getAsDouble(),
                usual.queueing() * scale,
                usual.plainCommand() * scale,
                usual.receiver() * scale,
                usual.reply(),
                usual.wake());
    }

    private List<Measurement> run(int cores) {
        // One round: nothing but the seed would differ in a second.
        hotName(ONLY_ROUND);
        cluster(ONLY_ROUND);
        results.addAll(
                new ScalingCheck(measured, cores, Duration.ofSeconds(quick ? 1 : 5)).run(ONLY_ROUND, ONLY_ROUND));
        heldNames();
        return results;
    }

    private void hotName(int round) {
        for (int processes : quick ? new int[] {10, 100} : new int[] {10, 30, 100, 300, 1_000}) {
            String many = processes + " processes";
            Setting setting = lasting(Setting.hotName(processes));
            simulate(HOT_NAME, many, setting, round);
            simulate(STEADY, many, setting.demanding(STEADY_SECTIONS_PER_SECOND), round);
        }
        Setting usual = lasting(Setting.hotName(USUAL_PROCESSES));
        for (double millis : quick ? new double[] {2} : new double[] {0.1, 2}) {
            Duration roundTrip = Duration.ofNanos(Math.round(millis * 1e6));
            String variant = USUAL_PROCESSES + " processes " + plain(millis) + " ms round trip";
            simulate(HOT_NAME, variant, usual.roundTrip(roundTrip), round);
        }
        for (int millis : quick ? new int[] {10} : new int[] {0, 10}) {
            String variant = USUAL_PROCESSES + " processes " + millis + " ms section";
            simulate(HOT_NAME, variant, usual.section(Duration.ofMillis(millis)), round);
        }
    }

    private Setting lasting(Setting setting) {
        return quick ? setting.lasting(Duration.ofMillis(500), Duration.ofSeconds(1)) : setting;
    }

    private void cluster(int round) {
        for (int masters : quick ? new int[] {3} : new int[] {3, 6, 12}) {
            Setting setting = Setting.cluster(masters);
            Setting fitting = quick ? setting.lasting(Duration.ofMillis(100), Duration.ofMillis(100)) : setting;
            simulate(CLUSTER, masters + " masters", fitting, round);
        }
    }

    private void simulate(String workload, String variant, Setting setting, int round) {
        for (Design design : Design.values()) {
            Simulation.Outcome outcome = Simulation.run(design, setting, costs, round);
            String contestant = design.contestant;
            add(workload, variant, contestant, "throughput", "sections/s", round, outcome.sectionsPerSecond());
            add(workload, variant, contestant, "commands", "commands/s", round, outcome.commandsPerSecond());
            add(workload, variant, contestant, "commands sent", "per section", round, outcome.commandsPerSection());
            add(workload, variant, contestant, "busiest server", "%", round, 100 * outcome.busiest());
            add(workload, variant, contestant, "wait p50", "µs", round, outcome.p50Micros());
            add(workload, variant, contestant, "wait p99", "µs", round, outcome.p99Micros());
            add(workload, variant, contestant, "wait max", "µs", round, outcome.maxMicros());
        }
    }

    private void heldNames() {
        for (int masters : new int[] {3, 6, 12}) {
            HeldNames held = new HeldNames(MILLION, masters, Duration.ofSeconds(60));
            String contestant = Design.HAND_OVER.contestant;
            String variant = masters + " masters";
            add(HELD, variant, contestant, "commands", "commands/s", 1, held.commandsPerSecond());
            add(HELD, variant, contestant, "busiest server", "%", 1, 100 * held.utilisation(costs));
        }
    }

    private void add(
            String workload, String variant, String contestant, String metric, String unit, int round, double value) {
        // No section in the whole period, so no cost per section.
        if (Double.isFinite(value)) {
            results.add(new Measurement(workload, variant, contestant, metric, unit, round, value));
        }
    }

    private static String plain(double millis) {
        return millis == Math.rint(millis) ? String.valueOf((long) millis) : String.valueOf(millis);
    }
}
