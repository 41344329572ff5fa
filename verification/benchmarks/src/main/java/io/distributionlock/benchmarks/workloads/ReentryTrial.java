package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.workers.Fields;

/** One thread takes a lock again that it holds. */
final class ReentryTrial implements Trial {

    private final long millis;

    ReentryTrial(long millis) {
        this.millis = millis;
    }

    @Override
    public void run(Round round) {
        Fields fields = Fields.none().with("name", round.namePrefix()).with("millis", millis);
        round.firstWorker().open(Jobs.REENTRY, fields);
        Fields seen = round.firstWorker().step("run", Fields.none());
        double reentries = seen.number("reentries");
        round.report("time", "ns", seen.number("nanos") / reentries);
        round.report("commands sent", "per re-entry", seen.number(ProcessMeter.SENT) / reentries);
        round.report("allocated", "B per re-entry", seen.number(ProcessMeter.ALLOCATED) / reentries);
    }
}
