package io.distributionlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.MeasurementFile;
import io.distributionlock.benchmarks.start.Starts;
import io.distributionlock.benchmarks.workloads.Scale;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs everything for a short time. Its numbers say nothing; that there are numbers, and that exclusion held, is what counts. */
class BenchmarksIT {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void eachContestantIsMeasuredInEachWorkload() throws Exception {
        // The microbenchmarks have a test of their own, which forks no JVM for each.
        String workloads = String.join(",", Workloads.names()) + "," + Starts.START + "," + Options.SIMULATION;
        assertThat(run("--quick", "--workloads", workloads)).as(this::printed).isZero();

        Set<List<String>> measured = measurements().stream()
                .filter(one -> Workloads.names().contains(one.workload()))
                .filter(one -> !one.contestant().equals("PING"))
                .map(one -> List.of(one.workload(), one.variant(), one.contestant()))
                .collect(Collectors.toSet());
        assertThat(measured).isEqualTo(expected());
        assertThat(measurements()).anyMatch(one -> one.workload().startsWith("simulation"));
        assertThat(measurements())
                .filteredOn(one -> one.workload().equals(Starts.START))
                .extracting(Measurement::contestant)
                .contains(Starts.WITHOUT, Contestants.LIBRARY);
        assertThat(measurements()).allMatch(one -> Double.isFinite(one.value()));
        // The network has its round trip of a millisecond, whatever the timers of this machine add.
        assertThat(new Medians(measurements())
                        .of(Workloads.NETWORK, "1.0 ms 1 thread", "PING", "time")
                        .orElseThrow())
                .isBetween(0.8, 5.0);
        // Its set and its evalsha, whose script has a get and a del.
        assertThat(uncontended(Contestants.BARE, "commands sent")).isCloseTo(2, within(0.1));
        assertThat(uncontended(Contestants.BARE, "commands run")).isCloseTo(4, within(0.2));
        assertThat(folder.resolve(Benchmarks.MACHINE))
                .content()
                .contains("server here: ", "server three masters: ", "stamp: ");
        assertThat(folder.resolve(Benchmarks.RESULTS)).content().contains("## Uncontended");
        assertThat(folder.resolve(Benchmarks.GOALS)).content().contains("Re-entry");
    }

    @ParameterizedTest
    @ValueSource(strings = {Workloads.HOT, Workloads.RENEWING})
    void aLockThatDoesNotLockFailsTheRunAndIsNamed(String workload) throws Exception {
        int exit = run("--quick", "--workloads", workload, "--contestants", Contestants.BROKEN);
        assertThat(exit).as(this::printed).isEqualTo(1);
        assertThat(printed())
                .contains("Exclusion was violated by " + Contestants.BROKEN)
                .contains(workload);
    }

    @Test
    void anUnknownOptionIsNamedAndTheKnownOnesAreListed() throws Exception {
        assertThat(run("--fast", "1")).isEqualTo(2);
        assertThat(printed()).contains("'--fast' is unknown").contains("--rounds");
    }

    @Test
    void anUnknownContestantEndsTheRunBeforeAnythingIsMeasured() throws Exception {
        assertThat(run("--quick", "--contestants", "redison")).isEqualTo(2);
        assertThat(printed()).contains("'redison'").contains(Contestants.REDISSON);
        assertThat(folder).isEmptyDirectory();
    }

    private static Set<List<String>> expected() {
        return new Workloads(new Scale(true, 1))
                .all().stream()
                        .flatMap(variant -> variant.contestants().stream()
                                .map(contestant -> List.of(variant.workload(), variant.name(), contestant)))
                        .collect(Collectors.toSet());
    }

    private double uncontended(String contestant, String metric) {
        return new Medians(measurements())
                .of(Workloads.UNCONTENDED, "1 thread", contestant, metric)
                .orElseThrow();
    }

    private List<Measurement> measurements() {
        return new MeasurementFile(folder.resolve(Benchmarks.MEASUREMENTS)).read();
    }

    private int run(String... arguments) throws Exception {
        String[] withFolder = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, withFolder, 0, arguments.length);
        withFolder[arguments.length] = "--out";
        withFolder[arguments.length + 1] = folder.toString();
        return Benchmarks.run(withFolder, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
