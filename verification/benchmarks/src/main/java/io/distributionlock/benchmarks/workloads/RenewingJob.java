package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;

/** Many locks that one thread holds. Steps: {@code hold}, {@code measure} and {@code measured} around a while, {@code release}. */
final class RenewingJob implements Job {

    private final Contestant contestant;
    private final String[] names;
    private final Contestant.Held[] held;
    private ProcessMeter meter;

    RenewingJob(Contestant contestant, Fields fields) {
        this.contestant = contestant;
        int count = (int) fields.number("locks");
        this.names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = fields.text("name") + i;
        }
        this.held = new Contestant.Held[count];
        this.meter = new ProcessMeter(contestant.sent());
    }

    @Override
    public Fields step(String step, Fields fields) throws Exception {
        return switch (step) {
            case "hold" -> hold();
            case "measure" -> measure();
            case "measured" -> meter.addTo(Fields.none());
            case "release" -> release();
            default -> throw new IllegalArgumentException("No step " + step);
        };
    }

    /** What the caller keeps of a lock counts as well: it has to keep something to release it by. */
    private Fields hold() throws Exception {
        long before = ProcessMeter.usedHeap();
        for (int i = 0; i < names.length; i++) {
            held[i] = contestant.acquireFree(names[i]);
        }
        return Fields.none().with("heap", ProcessMeter.usedHeap() - before);
    }

    private Fields measure() {
        meter = new ProcessMeter(contestant.sent());
        return Fields.none();
    }

    private Fields release() {
        for (Contestant.Held one : held) {
            one.release();
        }
        return Fields.none();
    }
}
