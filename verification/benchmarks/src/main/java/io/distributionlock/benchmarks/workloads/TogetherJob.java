package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** One thread that acquires the same names together again and again. One step: {@code run}. */
final class TogetherJob implements Job {

    private static final long ME = 1;

    private final Contestant contestant;
    private final List<String> names;
    private final Witness witness;
    private final long nanos;

    TogetherJob(Contestant contestant, Fields fields) {
        this.contestant = contestant;
        String prefix = fields.text("name");
        this.names = IntStream.range(0, (int) fields.number("names"))
                .mapToObj(name -> prefix + name)
                .toList();
        this.witness = Witness.map(Path.of(fields.text("witness")), names.size());
        this.nanos = fields.number("millis") * 1_000_000;
    }

    @Override
    public Fields step(String step, Fields fields) throws Exception {
        ProcessMeter meter = new ProcessMeter(contestant.sent());
        long begin = System.nanoTime();
        long sections = 0;
        do {
            section();
            sections++;
        } while (System.nanoTime() - begin < nanos);
        long spent = System.nanoTime() - begin;
        return meter.addTo(Fields.none().with("sections", sections).with("nanos", spent));
    }

    private void section() throws Exception {
        Contestant.Held held = contestant.acquireTogether(names);
        for (int name = 0; name < names.size(); name++) {
            witness.enter(name, ME);
        }
        for (int name = 0; name < names.size(); name++) {
            witness.leave(name, ME);
        }
        held.release();
    }
}
