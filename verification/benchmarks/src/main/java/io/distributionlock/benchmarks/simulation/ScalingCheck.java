package io.distributionlock.benchmarks.simulation;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Simulates what was measured on one machine, to see how far the simulation can be believed. Two measured points are needed to
 * know what things cost there (one thread with a free lock, and one process on the hot name); all others are forecasts.
 */
final class ScalingCheck {

    static final String WORKLOAD = "simulation check";

    private final Measured measured;
    private final int cores;
    private final Duration lasting;

    /** @param cores of the machine that was measured on */
    ScalingCheck(Measured measured, int cores, Duration lasting) {
        this.measured = measured;
        this.cores = cores;
        this.lasting = lasting;
    }

    /** Empty if the two points that everything depends on were not measured. */
    List<Measurement> run(int round, long seed) {
        List<Measurement> all = new ArrayList<>();
        Costs costs = costs();
        if (costs == null) {
            return all;
        }
        check(Workloads.HOT, 8, 1, costs, round, seed, all);
        check(Workloads.PROCESSES, 4, 16, costs, round, seed, all);
        return all;
    }

    private void check(
            String workload, int threads, int names, Costs costs, int round, long seed, List<Measurement> all) {
        for (int processes : measured.processes(workload)) {
            Setting setting = Setting.hotName(processes)
                    .section(Duration.ZERO)
                    .roundTrip(Duration.ZERO)
                    .on(cores, threads, names)
                    .lasting(Duration.ofSeconds(1), lasting);
            Simulation.Outcome simulated = Simulation.run(Design.HAND_OVER, setting, costs, seed);
            Point point = new Point(workload, processes, round);
            compare(point, Measured.THROUGHPUT, "sections/s", simulated.sectionsPerSecond(), all);
            compare(point, Measured.COMMANDS_SENT, "per section", simulated.commandsPerSection(), all);
        }
    }

    private record Point(String workload, int processes, int round) {

        String variant() {
            return workload + ": " + processes + (processes == 1 ? " process" : " processes");
        }
    }

    private void compare(Point point, String metric, String unit, double simulated, List<Measurement> all) {
        OptionalDouble real = measured.of(point.workload(), point.processes(), metric);
        if (real.isEmpty()) {
            return;
        }
        add(point, "measured", metric, unit, real.getAsDouble(), all);
        add(point, "simulated", metric, unit, simulated, all);
        if (real.getAsDouble() > 0) {
            add(point, "simulated", metric + " to measured", "ratio", simulated / real.getAsDouble(), all);
        }
    }

    private static void add(
            Point point, String contestant, String metric, String unit, double value, List<Measurement> all) {
        all.add(new Measurement(WORKLOAD, point.variant(), contestant, metric, unit, point.round(), value));
    }

    private @Nullable Costs costs() {
        OptionalDouble script = measured.redisMicrosPerCommand(1);
        OptionalDouble both = measured.uncontendedMicros();
        OptionalDouble handOver = measured.of(Workloads.HOT, 1, Measured.THROUGHPUT);
        if (script.isEmpty() || both.isEmpty() || handOver.isEmpty()) {
            return null;
        }
        double wake = 1e6 / handOver.getAsDouble();
        double reply = Math.max(0, both.getAsDouble() / 2 - script.getAsDouble() - wake);
        Costs usual = Costs.USUAL;
        double scale = script.getAsDouble() / usual.script();
        return new Costs(
                script.getAsDouble(),
                usual.queueing() * scale,
                usual.plainCommand() * scale,
                usual.receiver(),
                reply,
                wake);
    }
}
