package io.distributionlock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.measurement.Statistics;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the numbers were measured on, and with. One {@code name: value} per line. */
final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Pattern MEASURED = Pattern.compile(
            "(redisson|lettuce-core|lock4j-core|spring-integration-redis|spring-boot|netty-common)-[0-9].*");

    private Machine() {}

    static List<String> describe(Options options) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        List<String> lines = new ArrayList<>();
        lines.add("stamp: " + options.stamp());
        lines.add("date: " + Instant.now().truncatedTo(ChronoUnit.SECONDS));
        lines.add("processor: " + processor() + ", " + system.getAvailableProcessors() + " cores");
        lines.add("memory: " + (system.getTotalMemorySize() >> 20) + " MiB");
        lines.add("system: " + system.getName() + " " + system.getVersion() + " " + system.getArch());
        lines.add("load of the last minute, before: " + load());
        lines.add("Java: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        lines.add("libraries: " + String.join(", ", libraries()));
        lines.add(
                "rounds: " + options.rounds() + " of " + options.seconds() + " s" + (options.quick() ? ", quick" : ""));
        return lines;
    }

    /** What ran beside the measurements. */
    static List<String> after(List<Measurement> measurements) {
        List<Double> rounds = measurements.stream()
                .filter(one -> one.metric().equals(Rounds.OTHER_CPU))
                .map(Measurement::value)
                .toList();
        if (rounds.isEmpty()) {
            return List.of();
        }
        Statistics percent = Statistics.of(rounds);
        return List.of(String.format(
                Locale.ROOT,
                "other processes during a round: %.1f %% of a core by median, %.1f %% at most",
                percent.median(),
                percent.most()));
    }

    private static String load() {
        return String.format(
                Locale.ROOT,
                "%.2f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException notLinux) {
            return System.getProperty("os.arch", "unknown");
        }
    }

    private static List<String> libraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).getFileName())
                .filter(name ->
                        name != null && MEASURED.matcher(name.toString()).matches())
                .map(name -> name.toString().replaceAll("\\.jar$", ""))
                .sorted()
                .toList();
    }
}
