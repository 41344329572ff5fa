package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;

/** All threads want one section each, at the same moment; what counts is when the last one has had it. */
final class BurstLead implements SectionsTrial.Lead {

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) {
        RedisMeter redis = round.redis();
        redis.start();
        long at = SectionsTrial.start(round);
        List<Fields> answers = round.all("finish", Fields.none());
        RedisMeter.Use used = redis.stop();
        SectionsSeen all = SectionsTrial.together(answers);
        round.report("time", "ms", (all.lastEnd() - at) / 1e6);
        round.report("wait p50", "µs", all.waits().micros(50));
        round.report("wait max", "µs", all.waits().mostMicros());
        SectionsTrial.reportCosts(round, answers, used, all.sections());
        round.report("timed out", "attempts", all.timedOut());
        return new SectionsTrial.Outcome(SectionsTrial.perProcess(answers), 0);
    }
}
