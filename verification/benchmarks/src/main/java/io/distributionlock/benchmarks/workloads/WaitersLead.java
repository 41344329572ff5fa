package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All threads wait for a lock that is held; then it is released, and each gets its turn. */
final class WaitersLead implements SectionsTrial.Lead {

    private final Scale scale;

    WaitersLead(Scale scale) {
        this.scale = scale;
    }

    @Override
    public SectionsTrial.Outcome lead(Round round, SectionShape shape) throws InterruptedException {
        round.firstWorker().step("hold", Fields.none());
        SectionsTrial.start(round);
        TimeUnit.MILLISECONDS.sleep(scale.settleMillis());
        idle(round);
        List<SectionsSeen> perProcess = drain(round);
        return new SectionsTrial.Outcome(perProcess, 1);
    }

    private void idle(Round round) throws InterruptedException {
        Cost cost = Cost.ofWaiting(round, scale.idleMillis());
        round.report("idle commands sent", "commands/s", cost.perSecond(ProcessMeter.SENT));
        round.report(
                "idle commands run",
                "commands/s",
                cost.redis().commands() / cost.redis().seconds());
        round.report("idle client CPU", "ms per second", cost.perSecond(ProcessMeter.CPU) / 1e6);
        round.report(
                "idle Redis CPU",
                "ms per second",
                cost.redis().cpuSeconds() * 1_000 / cost.redis().seconds());
    }

    private static List<SectionsSeen> drain(Round round) {
        round.all("measure", Fields.none());
        round.redis().start();
        long released = round.firstWorker().step("release", Fields.none()).number("at");
        Finish finish = Finish.await(round);
        SectionsSeen all = finish.all();
        round.report("time", "ms", (all.lastEnd() - released) / 1e6);
        round.report("gap p50", "µs", all.gaps().micros(50));
        round.report("gap p99", "µs", all.gaps().micros(99));
        finish.reportCosts(round);
        return finish.perProcess();
    }
}
