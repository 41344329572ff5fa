package io.distributionlock.benchmarks.workloads;

/** All threads want one section each, at the same moment; what counts is when the last one has had it. */
final class BurstLead implements SectionsTrial.Lead {

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) {
        round.redis().start();
        long at = SectionsTrial.start(round);
        Finish finish = Finish.await(round);
        SectionsSeen all = finish.all();
        round.report("time", "ms", (all.lastEnd() - at) / 1e6);
        round.report("wait p50", "µs", all.waits().micros(50));
        round.report("wait max", "µs", all.waits().mostMicros());
        finish.reportCosts(round);
        return new SectionsTrial.Outcome(finish.perProcess(), 0);
    }
}
