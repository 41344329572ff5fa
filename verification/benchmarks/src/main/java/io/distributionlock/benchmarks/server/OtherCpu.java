package io.distributionlock.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The processor time of the machine that neither this process nor any that it has started uses, so that one sees whether something else
 * ran while it measured. Only Linux says that.
 */
public final class OtherCpu {

    private static final Path COUNTS = Path.of("/proc/stat");

    /** Of what {@code /proc/stat} counts in. */
    private static final double PER_SECOND = 100;

    private static final int USER = 1;
    private static final int NICE = 2;
    private static final int SYSTEM = 3;
    private static final int STOLEN = 8;

    private final double others;
    private final long nanos;

    private OtherCpu(double others, long nanos) {
        this.others = others;
        this.nanos = nanos;
    }

    /** Begins to look. */
    public static OtherCpu now() {
        return new OtherCpu(others(), System.nanoTime());
    }

    /** In percent of one processor, since then; empty if this system does not say. */
    public OptionalDouble percent() {
        double seconds = (System.nanoTime() - nanos) / 1e9;
        double used = others() - others;
        return Double.isNaN(used) ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, 100 * used / seconds));
    }

    /** In seconds, since the start of the machine; no number if unknown. */
    private static double others() {
        double machine = machine();
        double own = Stream.concat(
                        Stream.of(ProcessHandle.current()),
                        ProcessHandle.current().descendants())
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .mapToDouble(used -> used.toNanos() / 1e9)
                .sum();
        return machine - own;
    }

    /** Interrupts are left out: those are of whoever causes them. What another machine on the same hardware took counts. */
    private static double machine() {
        try (Stream<String> lines = Files.lines(COUNTS)) {
            List<String> counts = Arrays.asList(lines.findFirst().orElse("").split(" +", -1));
            return Stream.of(USER, NICE, SYSTEM, STOLEN)
                            .mapToDouble(column -> Double.parseDouble(counts.get(column)))
                            .sum()
                    / PER_SECOND;
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException notLinux) {
            return Double.NaN;
        }
    }
}
