package io.distributionlock.benchmarks.workloads;

/** All threads enter sections for a while. */
final class TimedLead implements SectionsTrial.Lead {

    private final boolean contended;

    private TimedLead(boolean contended) {
        this.contended = contended;
    }

    /** Reports how long one acquire and release takes. */
    static TimedLead uncontended() {
        return new TimedLead(false);
    }

    /** Reports the waits, and how sections are shared among threads and processes. */
    static TimedLead contended() {
        return new TimedLead(true);
    }

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) {
        round.redis().start();
        SectionsTrial.start(round);
        Finish finish = Finish.await(round);
        SectionsSeen all = finish.all();
        round.report("throughput", "sections/s", all.sectionsInTime() * 1_000.0 / shape.millis());
        if (contended) {
            reportContention(round, all);
            SectionsTrial.reportShares(round, finish.perProcess());
        } else {
            round.report("latency p50", "µs", all.operations().micros(50));
            round.report("latency p99", "µs", all.operations().micros(99));
            round.report("latency p99.9", "µs", all.operations().micros(99.9));
        }
        finish.reportCosts(round);
        return new SectionsTrial.Outcome(finish.perProcess(), 0);
    }

    private static void reportContention(Round round, SectionsSeen all) {
        round.report("wait p50", "µs", all.waits().micros(50));
        round.report("wait p99", "µs", all.waits().micros(99));
        round.report("wait max", "µs", all.waits().mostMicros());
        round.report("gap p50", "µs", all.gaps().micros(50));
        round.report("gap p99", "µs", all.gaps().micros(99));
    }
}
