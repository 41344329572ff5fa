package io.distributionlock.benchmarks.start;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.measurement.Measurement;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Starts one application with this library and without it, each time in a new JVM. It has Spring's AOP and Redis client in both cases,
 * locks nothing, and needs no Redis.
 *
 * <p>Single starts differ by ten times what the library adds, because a processor is not equally fast at all times. So both start at the
 * same moment and share one processor, in turns the one or the other first. Measured is the processor time of the main thread, which
 * alone does the work of a start and waits for nothing, and its difference within each pair.
 */
public final class Starts {

    public static final String START = "start";
    public static final String VARIANT = "nothing locked";
    public static final String WITHOUT = "without a lock";
    public static final String TIME = "time";
    public static final String MORE_TIME = "more time than without a lock";
    public static final String CLASSES = "classes";

    /** As Spring Boot's plugin starts an application. The optimizing compiler and a concurrent collector would take a core at random. */
    private static final List<String> JVM = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** Of Linux. Without it, the two use any processor, and their times differ by more. */
    private static final Path TASKSET = Path.of("/usr/bin/taskset");

    /** What an application has with the starters of AOP and Redis, and what only the other contestants and the benchmarks need. */
    private static final Pattern LIBRARY = Pattern.compile("\\block-(core|redis|spring-boot-(autoconfigure|starter))");

    private static final Pattern OTHERS =
            Pattern.compile("redisson|lock4j|spring-integration|jmh|lock-redis.*test|lock-test-support");

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
            all.addAll(pair(round));
        }
        return all;
    }

    private static List<Measurement> pair(int round) {
        boolean libraryFirst = round % 2 == 0;
        Process first = start(libraryFirst);
        Process second = start(!libraryFirst);
        Started with = started(libraryFirst ? first : second);
        Started without = started(libraryFirst ? second : first);
        return List.of(
                measurement(WITHOUT, TIME, "ms", round, without.millis()),
                measurement(WITHOUT, CLASSES, "loaded", round, without.classes()),
                measurement(Contestants.LIBRARY, TIME, "ms", round, with.millis()),
                measurement(Contestants.LIBRARY, MORE_TIME, "ms", round, with.millis() - without.millis()),
                measurement(Contestants.LIBRARY, CLASSES, "loaded", round, with.classes()));
    }

    private static Measurement measurement(String contestant, String metric, String unit, int round, double value) {
        return new Measurement(START, VARIANT, contestant, metric, unit, round, value);
    }

    /** The library is last: where the application's other classes are searched for, it is not in the way. */
    private static String classPath(boolean library) {
        String others = entries(entry ->
                !OTHERS.matcher(entry).find() && !LIBRARY.matcher(entry).find());
        return library
                ? others
                        + File.pathSeparator
                        + entries(entry -> LIBRARY.matcher(entry).find()
                                && !OTHERS.matcher(entry).find())
                : others;
    }

    private static String entries(Predicate<String> wanted) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(wanted)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Process start(boolean library) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(TASKSET)) {
            command.addAll(List.of(TASKSET.toString(), "-c", "0"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", classPath(library)));
        command.add(StartedApplication.class.getName());
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException failed) {
            throw new UncheckedIOException("The application cannot be started", failed);
        }
    }

    private record Started(double millis, double classes) {}

    private static Started started(Process process) {
        String printed;
        try {
            printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException("The application cannot be heard", failed);
        }
        String[] numbers = printed.trim().split(" ");
        if (numbers.length != 2) {
            throw new IllegalStateException("The application did not start: " + printed);
        }
        return new Started(Double.parseDouble(numbers[0]) / 1e6, Double.parseDouble(numbers[1]));
    }
}
