package io.distributionlock.benchmarks;

import static io.distributionlock.benchmarks.contestants.Contestants.FLOOR;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_WATCHDOG;
import static io.distributionlock.benchmarks.micro.MicroWorkloads.ASPECT_OVERHEAD;
import static io.distributionlock.benchmarks.micro.MicroWorkloads.BARE_CALL;
import static io.distributionlock.benchmarks.workloads.Workloads.ADDRESS;
import static io.distributionlock.benchmarks.workloads.Workloads.FAIR;
import static io.distributionlock.benchmarks.workloads.Workloads.HOT;
import static io.distributionlock.benchmarks.workloads.Workloads.REENTRY;
import static io.distributionlock.benchmarks.workloads.Workloads.RENEWING;
import static io.distributionlock.benchmarks.workloads.Workloads.UNCONTENDED;
import static io.distributionlock.benchmarks.workloads.Workloads.WAITERS;

import io.distributionlock.benchmarks.measurement.Measurement;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Collectors;

/** The target values. A missed one is reported but fails nothing, because machines differ. */
final class Goals {

    private static final String THROUGHPUT = "throughput";
    private static final String SENT = "commands sent";
    private static final String ONE_PROCESS = "1 process empty";
    private static final String TWO_PROCESSES = "2 processes empty";
    private static final String ADDRESS_THREADS = "2 × 300 threads";
    private static final String RENEWED = "10000 locks";

    private final Medians medians;

    Goals(List<Measurement> measurements) {
        this.medians = new Medians(measurements);
    }

    List<Goal> all() {
        String threads = "16 threads";
        return List.of(
                Goal.atLeast(
                        "Uncontended, 16 threads: share of the floor's throughput",
                        0.85,
                        ratio(
                                of(UNCONTENDED, threads, LIBRARY, THROUGHPUT),
                                of(UNCONTENDED, threads, FLOOR, THROUGHPUT))),
                // A round has a few commands more or less than its sections.
                Goal.atMost(
                        "Uncontended, 16 threads: commands sent per section",
                        2.01,
                        of(UNCONTENDED, threads, LIBRARY, SENT)),
                Goal.atMost("Re-entry: ns", 1_000, of(REENTRY, "1 thread", LIBRARY, "time")),
                Goal.atMost("Re-entry: commands sent", 0.001, of(REENTRY, "1 thread", LIBRARY, SENT)),
                Goal.atMost("Advice around a method, without Redis: ns above the bare call", 2_000, ofAdvice("time")),
                Goal.atMost("Advice around a method, without Redis: bytes", 1_024, ofAdvice("allocated")),
                Goal.atLeast(
                        "Hot name, 1 process, empty sections: times Redisson's sections per second",
                        10,
                        timesRedisson(ONE_PROCESS)),
                Goal.atLeast(
                        "Hot name, 2 processes, empty sections: times Redisson's sections per second",
                        3,
                        timesRedisson(TWO_PROCESSES)),
                Goal.atLeast(
                        "Hot name, 2 processes, empty sections: smallest share of a process in %",
                        30, of(HOT, TWO_PROCESSES, LIBRARY, "smallest share of a process")),
                Goal.atMost(
                        "400 waiters in 2 processes: commands sent per second while they wait",
                        4,
                        of(WAITERS, "2 × 200", LIBRARY, "idle commands sent")),
                Goal.atMost(
                        "10,000 renewed locks: batches per second (a tick is 100 ms)",
                        10,
                        of(RENEWING, RENEWED, LIBRARY, "batches")),
                Goal.atMost("10,000 renewed locks: heap bytes per lock", 700, of(RENEWING, RENEWED, LIBRARY, "heap")),
                Goal.atMost(
                        "Fair, 400 waiters: commands sent per section", 8, of(FAIR, "400 waiters", LIBRARY_FAIR, SENT)),
                Goal.atMost(
                        "Address, 2 × 300 threads: share of Redisson's time",
                        0.5,
                        ratio(
                                of(ADDRESS, ADDRESS_THREADS, LIBRARY, "time"),
                                bestRedisson(ADDRESS, ADDRESS_THREADS, "time", Math::min))));
    }

    /** As a table of Markdown. */
    String markdown() {
        return "| goal | target | measured | |\n|---|---|---|---|\n"
                + all().stream()
                        .map(goal -> "| " + goal.text() + " | " + goal.wanted() + " | " + goal.measured() + " | "
                                + goal.verdict() + " |\n")
                        .collect(Collectors.joining());
    }

    /** What a blocking method has more of than the same method without advice. */
    private OptionalDouble ofAdvice(String metric) {
        OptionalDouble locked = of(ASPECT_OVERHEAD, "blocking method", LIBRARY, metric);
        OptionalDouble bare = of(ASPECT_OVERHEAD, "blocking method", BARE_CALL, metric);
        return locked.isEmpty() || bare.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(locked.getAsDouble() - bare.getAsDouble());
    }

    private OptionalDouble timesRedisson(String variant) {
        return ratio(of(HOT, variant, LIBRARY, THROUGHPUT), bestRedisson(HOT, variant, THROUGHPUT, Math::max));
    }

    /** Of its lock with a lease and its lock with a watchdog, the one that does better here. */
    private OptionalDouble bestRedisson(String workload, String variant, String metric, DoubleBinaryOperator better) {
        OptionalDouble plain = of(workload, variant, REDISSON, metric);
        OptionalDouble watchdog = of(workload, variant, REDISSON_WATCHDOG, metric);
        if (plain.isEmpty() || watchdog.isEmpty()) {
            return plain.isPresent() ? plain : watchdog;
        }
        return OptionalDouble.of(better.applyAsDouble(plain.getAsDouble(), watchdog.getAsDouble()));
    }

    private OptionalDouble of(String workload, String variant, String contestant, String metric) {
        return medians.of(workload, variant, contestant, metric);
    }

    private static OptionalDouble ratio(OptionalDouble of, OptionalDouble to) {
        return of.isEmpty() || to.isEmpty() || to.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(of.getAsDouble() / to.getAsDouble());
    }
}
