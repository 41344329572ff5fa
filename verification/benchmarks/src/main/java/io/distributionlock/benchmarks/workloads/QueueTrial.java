package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Thousands wait for one name: what it costs them to queue and to wait, what another name notices, and how fast they get their turn. */
final class QueueTrial implements Trial {

    private final int waitersPerProcess;
    private final Scale scale;

    QueueTrial(int waitersPerProcess, Scale scale) {
        this.waitersPerProcess = waitersPerProcess;
        this.scale = scale;
    }

    @Override
    public void run(Round round) throws Exception {
        Path file = Witness.newFile();
        try {
            Witness witness = Witness.map(file, 1);
            open(round, file);
            otherName(round, "before");
            queue(round);
            idle(round);
            otherName(round, "meanwhile");
            drain(round, witness);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private void open(Round round, Path witness) {
        for (int process = 0; process < round.workers().size(); process++) {
            round.workers()
                    .get(process)
                    .open(
                            Jobs.QUEUE,
                            Fields.none()
                                    .with("witness", witness)
                                    .with("name", round.namePrefix())
                                    .with("process", process)
                                    .with("waiters", waitersPerProcess));
        }
    }

    private void otherName(Round round, String when) {
        Fields seen = round.firstWorker().step("other", Fields.none().with("millis", scale.millis()));
        Latencies latencies = Latencies.decode(seen.text("latencies"));
        round.report("other name " + when + " p50", "µs", latencies.micros(50));
        round.report("other name " + when + " p99", "µs", latencies.micros(99));
    }

    private int waiters(Round round) {
        return waitersPerProcess * round.workers().size();
    }

    private void queue(Round round) throws InterruptedException {
        round.firstWorker().step("hold", Fields.none());
        round.all("measure", Fields.none());
        round.redis().start();
        round.all("queue", Fields.none());
        // The last acquires are answered.
        TimeUnit.MILLISECONDS.sleep(scale.settleMillis());
        Cost cost = new Cost(round.all("measured", Fields.none()), round.redis().stop());
        double waiters = waiters(round);
        round.report("client CPU to queue", "µs per waiter", cost.ofProcesses(ProcessMeter.CPU) / 1e3 / waiters);
        round.report("commands run to queue", "per waiter", cost.redis().commands() / waiters);
        round.reportLongest("longest command to queue", cost.redis());
    }

    private void idle(Round round) throws InterruptedException {
        Cost cost = Cost.ofWaiting(round, scale.idleMillis());
        RedisMeter.Use redis = cost.redis();
        round.report("idle commands sent", "commands/s", cost.perSecond(ProcessMeter.SENT));
        round.report("idle commands run", "commands/s", redis.commands() / redis.seconds());
        round.report("idle client CPU", "ms per second", cost.perSecond(ProcessMeter.CPU) / 1e6);
        round.report("idle Redis CPU", "ms per second", redis.cpuSeconds() * 1_000 / redis.seconds());
        round.reportLongest("idle longest command", redis);
    }

    private void drain(Round round, Witness witness) {
        round.all("measure", Fields.none());
        round.redis().start();
        long released = round.firstWorker().step("release", Fields.none()).number("at");
        List<Fields> ended = round.all("finish", Fields.none());
        Cost cost = new Cost(ended, round.redis().stop());
        long sections = cost.ofProcesses("sections");
        long lastEnd = ended.stream()
                .mapToLong(process -> process.number("lastEnd"))
                .max()
                .orElse(released);
        double each = Math.max(1, sections);
        round.report("time", "ms", (lastEnd - released) / 1e6);
        round.report("commands sent", "per section", cost.ofProcesses(ProcessMeter.SENT) / each);
        round.report("commands run", "per section", cost.redis().commands() / each);
        round.report("client CPU", "µs per section", cost.ofProcesses(ProcessMeter.CPU) / 1e3 / each);
        round.report("Redis CPU", "µs per section", cost.redis().cpuSeconds() * 1e6 / each);
        round.reportLongest("longest command", cost.redis());
        round.report("timed out", "attempts", cost.ofProcesses("timedOut"));
        // The holder before them has entered as well.
        if (witness.violations() > 0 || witness.entries() != sections + 1) {
            throw round.violated(
                    witness.violations() + " violations, " + (witness.entries() - 1) + " of " + sections + " entries");
        }
    }
}
