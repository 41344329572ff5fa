package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
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
        RedisMeter redis = round.redis();
        round.all("measure", Fields.none());
        redis.start();
        TimeUnit.MILLISECONDS.sleep(scale.idleMillis());
        RedisMeter.Use used = redis.stop();
        List<Fields> costs = round.all("measured", Fields.none());
        round.report("idle commands sent", "commands/s", SectionsTrial.sum(costs, ProcessMeter.SENT) / used.seconds());
        round.report("idle commands run", "commands/s", used.commands() / used.seconds());
        round.report(
                "idle client CPU", "ms per second", SectionsTrial.sum(costs, ProcessMeter.CPU) / 1e6 / used.seconds());
    }

    private static List<SectionsSeen> drain(Round round) {
        RedisMeter redis = round.redis();
        round.all("measure", Fields.none());
        redis.start();
        long released = round.firstWorker().step("release", Fields.none()).number("at");
        List<Fields> answers = round.all("finish", Fields.none());
        RedisMeter.Use used = redis.stop();
        SectionsSeen all = SectionsTrial.together(answers);
        round.report("time", "ms", (all.lastEnd() - released) / 1e6);
        round.report("gap p50", "µs", all.gaps().micros(50));
        round.report("gap p99", "µs", all.gaps().micros(99));
        SectionsTrial.reportCosts(round, answers, used, all.sections());
        round.report("timed out", "attempts", all.timedOut());
        return SectionsTrial.perProcess(answers);
    }
}
