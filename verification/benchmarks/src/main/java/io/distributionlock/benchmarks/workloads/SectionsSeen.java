package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.workers.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the threads of one process, or of all together, have seen.
 *
 * @param perThread sections of each thread that began in time
 * @param sections all sections, also those that were waited for when the time was over
 * @param timedOut how often a lock was not to be had
 * @param lastEnd when the last section ended
 * @param waits from the wish to the section
 * @param operations from the wish to the end of the release
 * @param gaps from the end of a section to the begin of the next one of the same name
 */
record SectionsSeen(
        long[] perThread,
        long sections,
        long timedOut,
        long lastEnd,
        Latencies waits,
        Latencies operations,
        Latencies gaps) {

    static SectionsSeen of(List<SectionThread> threads) {
        return together(threads.stream().map(SectionsSeen::of).toList());
    }

    private static SectionsSeen of(SectionThread thread) {
        return new SectionsSeen(
                new long[] {thread.sectionsInTime},
                thread.sections,
                thread.timedOut,
                thread.lastEnd,
                thread.waits,
                thread.operations,
                thread.gaps);
    }

    /** What several threads or processes have seen together. */
    static SectionsSeen together(List<SectionsSeen> parts) {
        Latencies waits = new Latencies();
        Latencies operations = new Latencies();
        Latencies gaps = new Latencies();
        for (SectionsSeen part : parts) {
            waits.add(part.waits);
            operations.add(part.operations);
            gaps.add(part.gaps);
        }
        return new SectionsSeen(
                parts.stream()
                        .flatMapToLong(part -> Arrays.stream(part.perThread))
                        .toArray(),
                parts.stream().mapToLong(SectionsSeen::sections).sum(),
                parts.stream().mapToLong(SectionsSeen::timedOut).sum(),
                parts.stream().mapToLong(SectionsSeen::lastEnd).max().orElse(0),
                waits,
                operations,
                gaps);
    }

    static List<SectionsSeen> ofAll(List<Fields> processes) {
        return processes.stream().map(SectionsSeen::of).toList();
    }

    private static SectionsSeen of(Fields fields) {
        return new SectionsSeen(
                fields.numbers("perThread"),
                fields.number("sections"),
                fields.number("timedOut"),
                fields.number("lastEnd"),
                Latencies.decode(fields.text("waits")),
                Latencies.decode(fields.text("operations")),
                Latencies.decode(fields.text("gaps")));
    }

    Fields addTo(Fields fields) {
        return fields.with(
                        "perThread",
                        Arrays.stream(perThread).mapToObj(String::valueOf).collect(Collectors.joining(",")))
                .with("sections", sections)
                .with("timedOut", timedOut)
                .with("lastEnd", lastEnd)
                .with("waits", waits.encode())
                .with("operations", operations.encode())
                .with("gaps", gaps.encode());
    }

    long sectionsInTime() {
        return Arrays.stream(perThread).sum();
    }
}
