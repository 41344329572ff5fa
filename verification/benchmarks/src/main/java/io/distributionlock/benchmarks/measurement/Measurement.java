package io.distributionlock.benchmarks.measurement;

import java.util.Objects;

/**
 * One number of one round.
 *
 * @param workload what was done, for example {@code uncontended}
 * @param variant with how many threads, processes, waiters, for example {@code 16 threads}
 * @param contestant the contestant, for example {@code redisson}
 * @param metric what was counted, for example {@code throughput}
 * @param unit its unit, for example {@code ops/s}
 * @param round the number of the round, from 1
 * @param value the number
 */
public record Measurement(
        String workload, String variant, String contestant, String metric, String unit, int round, double value) {

    public Measurement {
        Objects.requireNonNull(workload, "workload");
        Objects.requireNonNull(variant, "variant");
        Objects.requireNonNull(contestant, "contestant");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(unit, "unit");
        if (round < 1) {
            throw new IllegalArgumentException("round " + round + " of " + workload + ": rounds count from 1");
        }
    }
}
