package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Workers;
import io.distributionlock.benchmarks.workloads.Round;
import io.distributionlock.benchmarks.workloads.Scale;
import io.distributionlock.benchmarks.workloads.Variant;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.io.PrintStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Leads all contestants, in turn, through the rounds of everything that needs a Redis. */
final class Rounds {

    /** More workers of a contestant than that are ended when the variant that needed them is over. */
    private static final int KEPT_WORKERS = 2;

    private final Options options;
    private final RedisMeter redis;
    private final Workers workers;
    private final MeasurementFile file;
    private final PrintStream out;
    private int begun;

    Rounds(Options options, RedisMeter redis, Workers workers, MeasurementFile file, PrintStream out) {
        this.options = options;
        this.redis = redis;
        this.workers = workers;
        this.file = file;
        this.out = out;
    }

    void run() throws Exception {
        if (!options.quick() && !options.variants().isEmpty()) {
            warmUp(new Workloads(new Scale(false, options.seconds())).warmUp());
        }
        Set<String> warm = new HashSet<>();
        for (Variant variant : options.variants()) {
            // The first round of a workload, and of new workers, warms up; a quick run is not read for its numbers.
            boolean isCold = warm.add(variant.workload()) || variant.processes() > KEPT_WORKERS;
            run(variant, isCold && !options.quick() ? 0 : 1, Math.min(options.rounds(), variant.mostRounds()));
            workers.keepAtMost(KEPT_WORKERS);
        }
    }

    private void warmUp(Variant variant) throws Exception {
        for (String contestant : options.contestantsOf(variant)) {
            WarmUp warmUp = new WarmUp();
            while (!warmUp.isOver()) {
                List<Measurement> measurements = round(variant, contestant, 1).run();
                warmUp.ran(throughput(measurements));
            }
        }
    }

    private static double throughput(List<Measurement> measurements) {
        return measurements.stream()
                .filter(measured -> measured.metric().equals("throughput"))
                .mapToDouble(Measurement::value)
                .sum();
    }

    private Round round(Variant variant, String contestant, int number) {
        begun++;
        return new Round(variant, contestant, number, begun, workers.of(contestant, variant.processes()), redis);
    }

    private void run(Variant variant, int firstRound, int lastRound) throws Exception {
        List<String> contestants = options.contestantsOf(variant);
        for (int number = firstRound; number <= lastRound; number++) {
            for (String contestant : contestants) {
                List<Measurement> measurements =
                        round(variant, contestant, number).run();
                file.append(measurements);
                print(variant, contestant, number, measurements);
            }
            // Nobody always comes first. All but the first still come after the same one.
            Collections.rotate(contestants, 1);
        }
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
}
