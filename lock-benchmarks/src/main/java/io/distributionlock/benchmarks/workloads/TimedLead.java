package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;

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

    /** Reports who waits for how long, and how the sections are shared. */
    static TimedLead contended() {
        return new TimedLead(true);
    }

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) {
        RedisMeter redis = round.redis();
        redis.start();
        SectionsTrial.start(round);
        List<Fields> answers = round.all("finish", Fields.none());
        RedisMeter.Use used = redis.stop();
        List<SectionsSeen> perProcess = SectionsTrial.perProcess(answers);
        SectionsSeen all = SectionsTrial.together(answers);
        round.report("throughput", "sections/s", all.sectionsInTime() * 1_000.0 / shape.millis());
        if (contended) {
            reportContention(round, all);
            SectionsTrial.reportShares(round, perProcess);
        } else {
            round.report("latency p50", "µs", all.operations().micros(50));
            round.report("latency p99", "µs", all.operations().micros(99));
            round.report("latency p99.9", "µs", all.operations().micros(99.9));
        }
        SectionsTrial.reportCosts(round, answers, used, all.sections());
        round.report("timed out", "attempts", all.timedOut());
        return new SectionsTrial.Outcome(perProcess, 0);
    }

    private static void reportContention(Round round, SectionsSeen all) {
        round.report("wait p50", "µs", all.waits().micros(50));
        round.report("wait p99", "µs", all.waits().micros(99));
        round.report("wait max", "µs", all.waits().mostMicros());
        round.report("gap p50", "µs", all.gaps().micros(50));
        round.report("gap p99", "µs", all.gaps().micros(99));
    }
}
