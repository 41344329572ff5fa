package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;

/**
 * How sections came to their end.
 *
 * @param perProcess what each process has seen
 * @param all what all processes together have seen
 * @param cost since the meter of Redis was started
 */
record Finish(List<SectionsSeen> perProcess, SectionsSeen all, Cost cost) {

    /** Waits for all threads of all processes. */
    static Finish await(Round round) {
        List<Fields> answers = round.all("finish", Fields.none());
        RedisMeter.Use used = round.redis().stop();
        List<SectionsSeen> perProcess = SectionsSeen.ofAll(answers);
        return new Finish(perProcess, SectionsSeen.together(perProcess), new Cost(answers, used));
    }

    void reportCosts(Round round) {
        double sections = Math.max(1, all.sections());
        if (cost.ofProcesses(ProcessMeter.SENT) > 0) {
            // Otherwise its connections are not counted: this library's to a quorum are its own.
            round.report("commands sent", "per section", cost.ofProcesses(ProcessMeter.SENT) / sections);
        }
        round.report("commands run", "per section", cost.redis().commands() / sections);
        round.report("allocated", "B per section", cost.ofProcesses(ProcessMeter.ALLOCATED) / sections);
        round.report("client CPU", "µs per section", cost.ofProcesses(ProcessMeter.CPU) / 1e3 / sections);
        round.report("Redis CPU", "µs per section", cost.redis().cpuSeconds() * 1e6 / sections);
        round.reportLongest("longest command", cost.redis());
        round.report("timed out", "attempts", all.timedOut());
    }
}
