package io.distributionlock.benchmarks.server;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processor time that other processes of this machine use than this one and those that it has started, so that one sees whether
 * something else ran while it measured. What has begun and ended meanwhile is not seen. The machine's own count of busy time would not
 * do: it is sampled, and misses what wakes and sleeps between two samples.
 */
public final class OtherCpu {

    private final long nanos = System.nanoTime();
    private final Map<Long, Duration> before = used();

    private OtherCpu() {}

    /** Begins to look. */
    public static OtherCpu now() {
        return new OtherCpu();
    }

    /** In percent of one processor, since then. */
    public double percent() {
        double seconds = (System.nanoTime() - nanos) / 1e9;
        double used = used().entrySet().stream()
                .map(process -> process.getValue().minus(before.getOrDefault(process.getKey(), Duration.ZERO)))
                // Another process may have the number of one that has ended.
                .filter(since -> !since.isNegative())
                .mapToDouble(since -> since.toNanos() / 1e9)
                .sum();
        return 100 * used / seconds;
    }

    private static Map<Long, Duration> used() {
        ProcessHandle self = ProcessHandle.current();
        Set<Long> own = Stream.concat(Stream.of(self), self.descendants())
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
        return ProcessHandle.allProcesses()
                .filter(process -> !own.contains(process.pid()))
                .collect(Collectors.toMap(
                        ProcessHandle::pid,
                        process -> process.info().totalCpuDuration().orElse(Duration.ZERO),
                        (one, same) -> same));
    }
}
