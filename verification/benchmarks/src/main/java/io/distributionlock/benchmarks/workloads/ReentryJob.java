package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;

/** One thread that holds a lock and takes and gives it back again and again. One step: {@code run}. */
final class ReentryJob implements Job {

    private static final int BETWEEN_LOOKS = 64;

    private final Contestant contestant;
    private final String name;
    private final long nanos;

    ReentryJob(Contestant contestant, Fields fields) {
        this.contestant = contestant;
        this.name = fields.text("name");
        this.nanos = fields.number("millis") * 1_000_000;
    }

    @Override
    public Fields step(String step, Fields fields) throws Exception {
        Contestant.Held outer = contestant.acquireFree(name);
        try {
            ProcessMeter meter = new ProcessMeter(contestant.sent());
            long begin = System.nanoTime();
            long reentries = 0;
            long now = begin;
            while (now - begin < nanos) {
                for (int i = 0; i < BETWEEN_LOOKS; i++) {
                    contestant.acquireFree(name).release();
                }
                reentries += BETWEEN_LOOKS;
                now = System.nanoTime();
            }
            return meter.addTo(Fields.none().with("reentries", reentries).with("nanos", now - begin));
        } finally {
            outer.release();
        }
    }
}
