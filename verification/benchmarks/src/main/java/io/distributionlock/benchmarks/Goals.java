package io.distributionlock.benchmarks;

import static io.distributionlock.benchmarks.contestants.Contestants.BARE;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_TOKEN;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_UNAWAITED;
import static io.distributionlock.benchmarks.micro.MicroWorkloads.ASPECT_OVERHEAD;
import static io.distributionlock.benchmarks.micro.MicroWorkloads.BARE_CALL;
import static io.distributionlock.benchmarks.workloads.Workloads.ADDRESS;
import static io.distributionlock.benchmarks.workloads.Workloads.FAIR;
import static io.distributionlock.benchmarks.workloads.Workloads.FAIR_WAITERS;
import static io.distributionlock.benchmarks.workloads.Workloads.HOT;
import static io.distributionlock.benchmarks.workloads.Workloads.MANY_AT_ONCE;
import static io.distributionlock.benchmarks.workloads.Workloads.MANY_NAMES;
import static io.distributionlock.benchmarks.workloads.Workloads.REENTRY;
import static io.distributionlock.benchmarks.workloads.Workloads.RENEWING;
import static io.distributionlock.benchmarks.workloads.Workloads.UNCONTENDED;
import static io.distributionlock.benchmarks.workloads.Workloads.WAITERS;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.start.Starts;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** The target values. A missed one is reported but fails nothing, because machines differ. */
final class Goals {

    private static final String THROUGHPUT = "throughput";
    private static final String SENT = "commands sent";
    private static final String RUN = "commands run";
    private static final String REDIS_CPU = "Redis CPU";
    private static final String CPU_TO_QUEUE = "client CPU to queue";
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
                        "Uncontended, 16 threads: times the throughput of bare SET NX",
                        0.92,
                        ratio(
                                of(UNCONTENDED, threads, LIBRARY, THROUGHPUT),
                                of(UNCONTENDED, threads, BARE, THROUGHPUT))),
                Goal.atLeast(
                        "Uncontended, 16 threads, release not waited for: times the throughput of bare SET NX",
                        1.3,
                        ratio(
                                of(UNCONTENDED, threads, LIBRARY_UNAWAITED, THROUGHPUT),
                                of(UNCONTENDED, threads, BARE, THROUGHPUT))),
                // A round has a few commands more or less than its sections.
                Goal.atMost(
                        "Uncontended, 16 threads: commands sent per section",
                        2.01,
                        of(UNCONTENDED, threads, LIBRARY, SENT)),
                Goal.atMost(
                        "Uncontended, 16 threads: commands run per section",
                        5.02,
                        of(UNCONTENDED, threads, LIBRARY, RUN)),
                Goal.atMost(
                        "Uncontended, 16 threads, with a token: commands run per section",
                        8.02,
                        of(UNCONTENDED, threads, LIBRARY_TOKEN, RUN)),
                Goal.atMost(
                        "Uncontended, 16 threads: times the Redis CPU of bare SET NX",
                        1.15,
                        ratio(of(UNCONTENDED, threads, LIBRARY, REDIS_CPU), of(UNCONTENDED, threads, BARE, REDIS_CPU))),
                Goal.atMost("Re-entry: ns", 1_000, of(REENTRY, "1 thread", LIBRARY, "time")),
                Goal.atMost("Re-entry: commands sent", 0.001, of(REENTRY, "1 thread", LIBRARY, SENT)),
                Goal.atMost("Advice around a method, without Redis: ns above the bare call", 2_000, ofAdvice("time")),
                Goal.atMost("Advice around a method, without Redis: bytes", 1_024, ofAdvice("allocated")),
                Goal.atMost(
                        "Start: ms more than without the library",
                        50,
                        of(Starts.START, Starts.VARIANT, LIBRARY, Starts.MORE_TIME)),
                Goal.atMost("Start: classes more than without the library", 500, moreClasses()),
                Goal.atLeast(
                        "Hot name, 2 processes, empty sections: times the best other's sections per second",
                        3,
                        ofBestOther(TWO_PROCESSES)),
                Goal.atLeast(
                        "Hot name, 2 processes, empty sections: smallest share of a process in %",
                        30, of(HOT, TWO_PROCESSES, LIBRARY, "smallest share of a process")),
                Goal.atMost(
                        "400 waiters in 2 processes: commands sent per second while they wait",
                        4,
                        of(WAITERS, "2 × 200", LIBRARY, "idle commands sent")),
                Goal.atMost(
                        "400 idle fair waiters in 2 processes: commands run per second",
                        20,
                        of(WAITERS, "2 × 200", LIBRARY_FAIR, "idle commands run")),
                Goal.atMost(
                        "10,000 idle fair waiters in 2 processes: Redis CPU in ms per second",
                        10,
                        of(FAIR_WAITERS, "2 × 5000", LIBRARY_FAIR, "idle Redis CPU")),
                // Linear: if each waiter cost as much as those before it together, this would be 10. Five thousand
                // threads and their
                // garbage collections have a price of their own.
                Goal.atMost(
                        "10,000 fair waiters: client CPU to queue, times that of each of 1,000",
                        2,
                        ratio(
                                of(FAIR_WAITERS, "2 × 5000", LIBRARY_FAIR, CPU_TO_QUEUE),
                                of(FAIR_WAITERS, "2 × 500", LIBRARY_FAIR, CPU_TO_QUEUE))),
                Goal.atMost(
                        "10,000 fair waiters: times another name's median without them",
                        1.5,
                        ratio(
                                of(FAIR_WAITERS, "2 × 5000", LIBRARY_FAIR, "other name meanwhile p50"),
                                of(FAIR_WAITERS, "2 × 5000", LIBRARY_FAIR, "other name before p50"))),
                Goal.atMost(
                        "10,000 renewed locks: scripts per second",
                        50,
                        of(RENEWING, RENEWED, LIBRARY, "commands sent per second")),
                Goal.atMost(
                        "10,000 renewed locks: commands run per second",
                        8_000,
                        of(RENEWING, RENEWED, LIBRARY, "commands run per second")),
                Goal.atMost(
                        "10,000 renewed locks: batches per second (a tick is 100 ms)",
                        10,
                        of(RENEWING, RENEWED, LIBRARY, "batches")),
                Goal.atMost("10,000 renewed locks: heap bytes per lock", 480, of(RENEWING, RENEWED, LIBRARY, "heap")),
                Goal.atMost(
                        "Fair, 400 waiters: commands sent per section", 8, of(FAIR, "400 waiters", LIBRARY_FAIR, SENT)),
                Goal.atMost(
                        "Fair, 400 waiters: commands run per section",
                        18.02,
                        of(FAIR, "400 waiters", LIBRARY_FAIR, RUN)),
                Goal.atMost(
                        "100 names at once: round trips per section",
                        2.02,
                        of(MANY_AT_ONCE, "100 names", LIBRARY, "round trips")),
                Goal.atMost(
                        "Many names: keys left in Redis",
                        0,
                        of(MANY_NAMES, "50000 names", LIBRARY, "keys left in Redis")),
                Goal.atLeast(
                        "Hot name, 1 process, sections of 1 ms: share of the best other's throughput",
                        1,
                        ofBestOther("1 process 1 ms")),
                Goal.atLeast(
                        "Hot name, 2 processes, sections of 1 ms: share of the best other's throughput",
                        1,
                        ofBestOther("2 processes 1 ms")),
                Goal.atLeast(
                        "Hot name, 4 processes, sections of 1 ms: share of the best other's throughput",
                        1,
                        ofBestOther("4 processes 1 ms")),
                Goal.atLeast(
                        "Hot name, 4 processes, sections of 1 ms: Jain of processes",
                        0.98,
                        of(HOT, "4 processes 1 ms", LIBRARY, "Jain of processes")),
                Goal.atLeast(
                        "Hot name, 4 processes, sections of 1 ms: least Jain of the threads of a process",
                        0.98,
                        of(HOT, "4 processes 1 ms", LIBRARY, "Jain of threads of a process")),
                Goal.atMost(
                        "Address, 2 × 300 threads: share of the best other's time",
                        0.5,
                        ratio(of(ADDRESS, ADDRESS_THREADS, LIBRARY, "time"), bestOthersTime())));
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
        return difference(
                of(ASPECT_OVERHEAD, "blocking method", LIBRARY, metric),
                of(ASPECT_OVERHEAD, "blocking method", BARE_CALL, metric));
    }

    private OptionalDouble moreClasses() {
        return difference(
                of(Starts.START, Starts.VARIANT, LIBRARY, Starts.CLASSES),
                of(Starts.START, Starts.VARIANT, Starts.WITHOUT, Starts.CLASSES));
    }

    private static OptionalDouble difference(OptionalDouble of, OptionalDouble to) {
        return of.isEmpty() || to.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(of.getAsDouble() - to.getAsDouble());
    }

    private OptionalDouble ofBestOther(String variant) {
        return ratio(
                of(HOT, variant, LIBRARY, THROUGHPUT),
                others(HOT, variant, THROUGHPUT).max());
    }

    private OptionalDouble bestOthersTime() {
        return others(ADDRESS, ADDRESS_THREADS, "time").min();
    }

    private DoubleStream others(String workload, String variant, String metric) {
        return Contestants.PEERS.stream()
                .map(other -> of(workload, variant, other, metric))
                .flatMapToDouble(OptionalDouble::stream);
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
