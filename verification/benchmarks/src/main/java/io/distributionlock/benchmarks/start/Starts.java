package io.distributionlock.benchmarks.start;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Starts one application with this library and without it, in turn, each time in a new JVM. It has Spring's AOP and Redis client in both
 * cases, locks nothing, and needs no Redis.
 */
public final class Starts {

    public static final String START = "start";
    public static final String VARIANT = "nothing locked";
    public static final String WITHOUT = "without a lock";
    public static final String TIME = "time";
    public static final String CLASSES = "classes";

    /** What an application has with the starters of AOP and Redis, and what only the other contestants need. */
    private static final Pattern LIBRARY = Pattern.compile("lock-spring-boot-(autoconfigure|starter)");

    private static final Pattern PEERS = Pattern.compile("redisson|lock4j|spring-integration|embedded-redis|jmh");

    private Starts() {}

    /**
     * Measures.
     *
     * @param rounds how often each application starts
     * @throws IllegalStateException if one does not start
     */
    public static List<Measurement> run(int rounds) {
        List<Measurement> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            all.addAll(start(WITHOUT, round, classPath(PEERS, LIBRARY)));
            all.addAll(start(Contestants.LIBRARY, round, classPath(PEERS)));
        }
        return all;
    }

    private static String classPath(Pattern... excluded) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Arrays.stream(excluded)
                        .noneMatch(pattern -> pattern.matcher(entry).find()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<Measurement> start(String contestant, int round, String classPath) {
        String printed = output(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                StartedApplication.class.getName());
        String[] numbers = printed.trim().split(" ");
        if (numbers.length != 2) {
            throw new IllegalStateException("The application " + contestant + " did not start: " + printed);
        }
        return List.of(
                new Measurement(START, VARIANT, contestant, TIME, "ms", round, Double.parseDouble(numbers[0]) / 1e6),
                new Measurement(START, VARIANT, contestant, CLASSES, "loaded", round, Double.parseDouble(numbers[1])));
    }

    private static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException("The application cannot be started", failed);
        }
    }
}
