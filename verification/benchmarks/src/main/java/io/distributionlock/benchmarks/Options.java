package io.distributionlock.benchmarks;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.start.Starts;
import io.distributionlock.benchmarks.workloads.Scale;
import io.distributionlock.benchmarks.workloads.Variant;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The options of the command line.
 *
 * @param quick whether to only check that everything runs
 * @param workloads only these; all if empty
 * @param contestants only these; all if empty
 * @param rounds how many rounds are measured
 * @param seconds how long a timed round lasts
 * @param folder where the results go
 * @param add whether to add to the results that are there
 * @param stamp which commit is measured, as {@code verification/stamp} says
 */
record Options(
        boolean quick,
        List<String> workloads,
        List<String> contestants,
        int rounds,
        double seconds,
        Path folder,
        boolean add,
        String stamp) {

    static final String USAGE = """
        Options:
          --quick               seconds instead of minutes: only shows that everything runs
          --workloads a,b       only these
          --contestants a,b     only these, for example: "distribution-lock,redisson fair"
          --rounds n            number of counted rounds; default 3, with --quick 1
          --seconds n           length of a timed round; default 5, with --quick 0.15
          --out folder          where the results go; default target/benchmarks
          --add                 to the results that are there, instead of replacing them
        """;

    /** What is measured by JMH, and what is simulated: named like a workload, with workloads of their own. */
    static final String MICRO = "micro";

    static final String SIMULATION = "simulation";

    /** Throws an {@link IllegalArgumentException} that names the wrong option. */
    static Options parse(String... arguments) {
        Options options =
                new Options(false, List.of(), List.of(), 0, 0, Path.of("target/benchmarks"), false, "unknown");
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--quick")) {
                options = options.withQuick();
            } else if (arguments[i].equals("--add")) {
                options = options.withAdd();
            } else if (i + 1 < arguments.length) {
                options = options.with(arguments[i], arguments[++i]);
            } else {
                throw new IllegalArgumentException("'" + arguments[i] + "' is unknown, or its value is missing");
            }
        }
        options.workloads().forEach(Options::requireWorkload);
        options.contestants().forEach(Options::requireContestant);
        options = options.withDefaults();
        options.requireSomethingToMeasure();
        return options;
    }

    private static void requireWorkload(String workload) {
        List<String> known = Stream.concat(Workloads.names().stream(), Stream.of(Starts.START, MICRO, SIMULATION))
                .toList();
        if (!known.contains(workload)) {
            throw new IllegalArgumentException(
                    "Workload '" + workload + "' is unknown. Known workloads: " + String.join(", ", known));
        }
    }

    private static void requireContestant(String contestant) {
        if (!Contestants.names().contains(contestant) && !contestant.equals(Contestants.BROKEN)) {
            throw new IllegalArgumentException("Contestant '" + contestant + "' is unknown. Known contestants: "
                    + String.join(", ", Contestants.names()));
        }
    }

    private void requireSomethingToMeasure() {
        boolean withoutRedis =
                includesWorkload(Starts.START) || includesWorkload(MICRO) || includesWorkload(SIMULATION);
        boolean withRedis =
                variants().stream().anyMatch(variant -> !contestantsOf(variant).isEmpty());
        if (!withoutRedis && !withRedis) {
            throw new IllegalArgumentException(
                    "None of " + String.join(", ", contestants) + " takes part in " + String.join(", ", workloads));
        }
    }

    private Options withQuick() {
        return new Options(true, workloads, contestants, rounds, seconds, folder, add, stamp);
    }

    private Options withAdd() {
        return new Options(quick, workloads, contestants, rounds, seconds, folder, true, stamp);
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--workloads" -> new Options(quick, list(value), contestants, rounds, seconds, folder, add, stamp);
            case "--contestants" -> new Options(quick, workloads, list(value), rounds, seconds, folder, add, stamp);
            case "--rounds" ->
                new Options(quick, workloads, contestants, (int) positive(name, value), seconds, folder, add, stamp);
            case "--seconds" ->
                new Options(quick, workloads, contestants, rounds, positive(name, value), folder, add, stamp);
            case "--out" -> new Options(quick, workloads, contestants, rounds, seconds, Path.of(value), add, stamp);
            case "--stamp" -> new Options(quick, workloads, contestants, rounds, seconds, folder, add, value);
            default -> throw new IllegalArgumentException("'" + name + "' is unknown");
        };
    }

    private Options withDefaults() {
        int measured = rounds > 0 ? rounds : quick ? 1 : 3;
        double lasting = seconds > 0 ? seconds : quick ? 0.15 : 5;
        return new Options(
                quick,
                workloads,
                contestants,
                measured,
                lasting,
                folder.toAbsolutePath().normalize(),
                add,
                stamp);
    }

    boolean includesWorkload(String workload) {
        return workloads.isEmpty() || workloads.contains(workload);
    }

    boolean includesContestant(String contestant) {
        return contestants.isEmpty() || contestants.contains(contestant);
    }

    /** The variants to measure with Redis. */
    List<Variant> variants() {
        return new Workloads(new Scale(quick, seconds))
                .all().stream()
                        .filter(variant -> includesWorkload(variant.workload()))
                        .toList();
    }

    /** The contestants to measure in a variant. */
    List<String> contestantsOf(Variant variant) {
        List<String> chosen = new ArrayList<>(
                variant.contestants().stream().filter(this::includesContestant).toList());
        if (contestants.contains(Contestants.BROKEN)) {
            chosen.add(Contestants.BROKEN);
        }
        return chosen;
    }

    private static List<String> list(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::trim).toList();
    }

    private static double positive(String name, String value) {
        try {
            double number = Double.parseDouble(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Refused below.
        }
        throw new IllegalArgumentException(name + " must be a number above 0, not '" + value + "'");
    }
}
