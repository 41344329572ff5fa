package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.server.Network;
import io.distributionlock.benchmarks.server.OtherCpu;
import io.distributionlock.benchmarks.workers.Workers;
import io.distributionlock.benchmarks.workloads.Round;
import io.distributionlock.benchmarks.workloads.Variant;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.io.PrintStream;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Leads all contestants, in turn, through the rounds of what needs a Redis in one place. */
final class Rounds {

    /** A row for each round beside those of the contestant. */
    static final String OTHER_CPU = "other processes CPU";

    /** More workers of a contestant than that are ended when the variant that needed them is over. */
    private static final int KEPT_WORKERS = 2;

    private final Options options;
    private final Site site;
    private final Workers workers;
    private final MeasurementFile file;
    private final PrintStream out;
    private int begun;

    Rounds(Options options, Site site, Workers workers, MeasurementFile file, PrintStream out) {
        this.options = options;
        this.site = site;
        this.workers = workers;
        this.file = file;
        this.out = out;
    }

    void run(List<Variant> variants) throws Exception {
        Set<String> contestants = new LinkedHashSet<>();
        variants.forEach(variant -> contestants.addAll(options.contestantsOf(variant)));
        if (!options.quick()) {
            warmUp(Workloads.warmUp(contestants));
        }
        Set<String> warm = new HashSet<>();
        for (Variant variant : variants) {
            setRoundTrip(variant);
            // The first round of a workload, and of new workers, warms up; a quick run is not read for its numbers.
            boolean isCold = warm.add(variant.workload()) || variant.processes() > KEPT_WORKERS;
            if (isCold && !options.quick()) {
                runCold(variant);
            }
            run(variant, Math.min(options.rounds(), variant.mostRounds()));
            workers.keepAtMost(KEPT_WORKERS);
        }
    }

    /** What the network really makes of it is a measurement of its own. */
    private void setRoundTrip(Variant variant) {
        Network network = site.network();
        if (network != null) {
            Network.RoundTrip ping = network.roundTrip(variant.roundTripMillis());
            file.append(List.of(
                    ping(variant, "time", ping.median()),
                    ping(variant, "p01", ping.least()),
                    ping(variant, "p99", ping.most())));
        }
    }

    private static Measurement ping(Variant variant, String metric, double millis) {
        return new Measurement(variant.workload(), variant.name(), "PING", metric, "ms", 1, millis);
    }

    private void runCold(Variant variant) throws Exception {
        Variant shorter = Workloads.shorter(variant);
        for (String contestant : options.contestantsOf(variant)) {
            round(shorter, contestant, 0).run();
        }
    }

    private void warmUp(Variant variant) throws Exception {
        for (String contestant : variant.contestants()) {
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
        return new Round(variant, contestant, number, begun, workers.of(contestant, variant.processes()), site.meter());
    }

    private void append(Variant variant, String contestant, int number, double percent) {
        file.append(List.of(new Measurement(
                variant.workload(), variant.name(), contestant, OTHER_CPU, "% of a core", number, percent)));
    }

    private void run(Variant variant, int lastRound) throws Exception {
        List<String> contestants = options.contestantsOf(variant);
        for (int number = 1; number <= lastRound; number++) {
            for (String contestant : contestants) {
                OtherCpu others = OtherCpu.now();
                List<Measurement> measurements =
                        round(variant, contestant, number).run();
                file.append(measurements);
                append(variant, contestant, number, others.percent());
                print(variant, contestant, number, measurements);
            }
            // Nobody always comes first. All but the first still come after the same one.
            Collections.rotate(contestants, 1);
        }
    }

    private void print(Variant variant, String contestant, int number, List<Measurement> measurements) {
        out.printf("%-12s %-20s round %d  %-18s", variant.workload(), variant.name(), number, contestant);
        measurements.stream()
                .limit(3)
                .forEach(measured -> out.printf("  %s %,.1f %s", measured.metric(), measured.value(), measured.unit()));
        out.println();
    }
}
