package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.measurement.Measurement;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One round of one contestant: its workers, Redis, and the measurements. */
public final class Round {

    private final Variant variant;
    private final String contestant;
    private final int number;
    private final int serial;
    private final List<WorkerProcess> workers;
    private final RedisMeter redis;
    private final List<Measurement> measurements = new ArrayList<>();

    /**
     * @param number from 1; 0 for a warm-up round
     * @param serial the number of this round in the run, counted over all contestants
     */
    public Round(
            Variant variant, String contestant, int number, int serial, List<WorkerProcess> workers, RedisMeter redis) {
        this.variant = variant;
        this.contestant = contestant;
        this.number = number;
        this.serial = serial;
        this.workers = workers;
        this.redis = redis;
    }

    /** What was measured; nothing in a round that only warms up. */
    public List<Measurement> run() throws Exception {
        redis.forgetKeys();
        variant.trial().run(this);
        return measurements;
    }

    List<WorkerProcess> workers() {
        return workers;
    }

    WorkerProcess firstWorker() {
        return workers.get(0);
    }

    RedisMeter redis() {
        return redis;
    }

    /** The prefix of lock names, different for each round. Equally long for all contestants, because names take bytes. */
    String namePrefix() {
        return String.format(Locale.ROOT, "%s-%04d-", variant.workload().replace(' ', '-'), serial);
    }

    void report(String metric, String unit, double value) {
        if (number > 0) {
            measurements.add(
                    new Measurement(variant.workload(), variant.name(), contestant, metric, unit, number, value));
        }
    }

    /** By the clock on the wall, so with what the machine did meanwhile. */
    void reportLongest(String metric, RedisMeter.Use used) {
        report(metric, "ms", used.longestMicros() / 1e3);
    }

    /** Runs a step in all workers at the same time. */
    List<Fields> all(String step, Fields fields) {
        workers.forEach(worker -> worker.begin(step, fields));
        return workers.stream().map(WorkerProcess::answer).toList();
    }

    ExclusionViolatedException violated(String how) {
        return new ExclusionViolatedException("Exclusion was violated by " + contestant + " in " + variant.workload()
                + ", " + variant.name() + ", round " + number + ": " + how);
    }
}
