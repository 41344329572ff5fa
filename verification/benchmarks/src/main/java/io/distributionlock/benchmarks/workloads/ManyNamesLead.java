package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;

/** Each name is locked once and never again; what counts is what stays behind. */
final class ManyNamesLead implements SectionsTrial.Lead {

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) {
        RedisMeter redis = round.redis();
        long heapBefore = heap(round);
        long memoryBefore = redis.usedMemory();
        long at = SectionsTrial.start(round);
        List<SectionsSeen> perProcess = SectionsSeen.ofAll(round.all("finish", Fields.none()));
        SectionsSeen all = SectionsSeen.together(perProcess);
        round.report("throughput", "sections/s", all.sections() * 1e9 / Math.max(1, all.lastEnd() - at));
        round.report("heap left", "B per name", (double) (heap(round) - heapBefore) / shape.names());
        round.report("keys left in Redis", "keys", redis.keys());
        round.report(
                "memory left in Redis", "B per name", (double) (redis.usedMemory() - memoryBefore) / shape.names());
        round.report("timed out", "attempts", all.timedOut());
        return new SectionsTrial.Outcome(perProcess, 0);
    }

    private static long heap(Round round) {
        return round.all("heap", Fields.none()).stream()
                .mapToLong(process -> process.number("heap"))
                .sum();
    }
}
