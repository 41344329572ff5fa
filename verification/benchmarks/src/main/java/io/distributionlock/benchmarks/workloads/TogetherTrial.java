package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.nio.file.Files;
import java.nio.file.Path;

/** One thread acquires several free names together, and releases them. */
final class TogetherTrial implements Trial {

    private final int names;
    private final long millis;

    TogetherTrial(int names, long millis) {
        this.names = names;
        this.millis = millis;
    }

    @Override
    public void run(Round round) throws Exception {
        Path file = Witness.newFile();
        try {
            Witness witness = Witness.map(file, names);
            round.firstWorker()
                    .open(
                            Jobs.TOGETHER,
                            Fields.none()
                                    .with("witness", file)
                                    .with("name", round.namePrefix())
                                    .with("names", names)
                                    .with("millis", millis));
            round.redis().start();
            Fields seen = round.firstWorker().step("run", Fields.none());
            report(round, seen, round.redis().stop());
            verify(round, witness, seen.number("sections") * names);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static void report(Round round, Fields seen, RedisMeter.Use used) {
        double sections = seen.number("sections");
        round.report("time", "µs", seen.number("nanos") / 1e3 / sections);
        round.report("round trips", "per section", seen.number(ProcessMeter.ROUND_TRIPS) / sections);
        round.report("commands sent", "per section", seen.number(ProcessMeter.SENT) / sections);
        round.report("commands run", "per section", used.commands() / sections);
        round.report("batches", "per section", seen.number(ProcessMeter.BATCHES) / sections);
        round.report("allocated", "B per section", seen.number(ProcessMeter.ALLOCATED) / sections);
        round.report("client CPU", "µs per section", seen.number(ProcessMeter.CPU) / 1e3 / sections);
        round.report("Redis CPU", "µs per section", used.cpuSeconds() * 1e6 / sections);
        round.reportLongest("longest command", used);
    }

    private static void verify(Round round, Witness witness, long expected) {
        if (witness.violations() > 0 || witness.entries() != expected) {
            throw round.violated(
                    witness.violations() + " violations, " + witness.entries() + " of " + expected + " entries");
        }
    }
}
