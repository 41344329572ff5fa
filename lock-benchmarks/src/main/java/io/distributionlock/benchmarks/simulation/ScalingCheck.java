package io.distributionlock.benchmarks.simulation;

import io.distributionlock.benchmarks.measurement.Measurement;
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

    private static final int THREADS = 8;

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
        for (int processes : measured.processes()) {
            Setting setting = Setting.hotName(processes)
                    .section(Duration.ZERO)
                    .roundTrip(Duration.ZERO)
                    .on(cores, THREADS)
                    .lasting(Duration.ofSeconds(1), lasting);
            Simulation.Outcome simulated = Simulation.run(Design.HAND_OVER, setting, costs, seed);
            String variant = processes == 1 ? "1 process" : processes + " processes";
            compare(variant, Measured.THROUGHPUT, "sections/s", processes, simulated.sectionsPerSecond(), round, all);
            compare(
                    variant,
                    Measured.COMMANDS_SENT,
                    "per section",
                    processes,
                    simulated.commandsPerSection(),
                    round,
                    all);
        }
        return all;
    }

    private void compare(
            String variant,
            String metric,
            String unit,
            int processes,
            double simulated,
            int round,
            List<Measurement> all) {
        OptionalDouble real = measured.scaling(processes, metric);
        if (real.isEmpty()) {
            return;
        }
        all.add(new Measurement(WORKLOAD, variant, "measured", metric, unit, round, real.getAsDouble()));
        all.add(new Measurement(WORKLOAD, variant, "simulated", metric, unit, round, simulated));
        if (real.getAsDouble() > 0) {
            all.add(new Measurement(
                    WORKLOAD,
                    variant,
                    "simulated",
                    metric + " simulated to measured",
                    "ratio",
                    round,
                    simulated / real.getAsDouble()));
        }
    }

    private @Nullable Costs costs() {
        OptionalDouble script = measured.redisMicrosPerCommand(1);
        OptionalDouble both = measured.uncontendedMicros();
        OptionalDouble handOver = measured.scaling(1, Measured.THROUGHPUT);
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
