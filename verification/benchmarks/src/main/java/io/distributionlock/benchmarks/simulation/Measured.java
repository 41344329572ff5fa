package io.distributionlock.benchmarks.simulation;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.Statistics;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;

/** What was measured of this library on a real machine. */
final class Measured {

    static final String THROUGHPUT = "throughput";
    static final String COMMANDS_SENT = "commands sent";

    private static final String EMPTY_SECTION = "empty";
    private static final String REDIS_CPU = "Redis CPU";

    private final Collection<Measurement> measurements;

    Measured(Collection<Measurement> measurements) {
        this.measurements = measurements;
    }

    /** With how many processes a workload was measured, with empty sections. */
    SortedSet<Integer> processes(String workload) {
        SortedSet<Integer> processes = new TreeSet<>();
        for (Measurement each : measurements) {
            if (each.workload().equals(workload) && isOfLibrary(each) && isOfEmptySections(each)) {
                processes.add(leadingNumber(each.variant()));
            }
        }
        return processes;
    }

    OptionalDouble of(String workload, int processes, String metric) {
        return median(workload, processes, metric);
    }

    /** Microseconds of a command at Redis, when that many threads keep it busy. */
    OptionalDouble redisMicrosPerCommand(int threads) {
        OptionalDouble cpu = median(Workloads.UNCONTENDED, threads, REDIS_CPU);
        OptionalDouble commands = median(Workloads.UNCONTENDED, threads, COMMANDS_SENT);
        return cpu.isPresent() && commands.isPresent() && commands.getAsDouble() > 0 && cpu.getAsDouble() > 0
                ? OptionalDouble.of(cpu.getAsDouble() / commands.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Microseconds from asking for a free lock to having given it back. */
    OptionalDouble uncontendedMicros() {
        OptionalDouble throughput = median(Workloads.UNCONTENDED, 1, THROUGHPUT);
        return throughput.isPresent() ? OptionalDouble.of(1e6 / throughput.getAsDouble()) : throughput;
    }

    /** With how many threads free locks were taken at most. */
    int mostThreads() {
        int most = 0;
        for (Measurement each : measurements) {
            if (each.workload().equals(Workloads.UNCONTENDED) && isOfLibrary(each)) {
                most = Math.max(most, leadingNumber(each.variant()));
            }
        }
        return most;
    }

    private OptionalDouble median(String workload, int number, String metric) {
        List<Double> values = measurements.stream()
                .filter(each -> each.workload().equals(workload)
                        && isOfLibrary(each)
                        && isOfEmptySections(each)
                        && each.metric().equals(metric)
                        && leadingNumber(each.variant()) == number)
                .map(Measurement::value)
                .toList();
        return values.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Statistics.of(values).median());
    }

    private static boolean isOfLibrary(Measurement each) {
        return each.contestant().equals(Design.HAND_OVER.contestant);
    }

    /** The hot name was also measured with other sections, as its variants say; everything else only with empty ones. */
    private static boolean isOfEmptySections(Measurement each) {
        return !each.workload().equals(Workloads.HOT) || each.variant().endsWith(EMPTY_SECTION);
    }

    /** {@code 16 threads} has 16. */
    private static int leadingNumber(String variant) {
        int end = 0;
        while (end < variant.length() && Character.isDigit(variant.charAt(end))) {
            end++;
        }
        return end == 0 ? 0 : Integer.parseInt(variant, 0, end, 10);
    }
}
