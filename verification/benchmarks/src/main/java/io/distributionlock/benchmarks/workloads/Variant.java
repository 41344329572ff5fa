package io.distributionlock.benchmarks.workloads;

import java.util.List;

/**
 * A workload with its numbers of threads, processes and so on.
 *
 * @param processes how many workers of a contestant it needs
 * @param contestants the contestants that take part
 * @param mostRounds no more rounds than that, because they are long
 */
public record Variant(
        String workload, String name, int processes, List<String> contestants, int mostRounds, Trial trial) {

    Variant(String workload, String name, int processes, List<String> contestants, Trial trial) {
        this(workload, name, processes, contestants, Integer.MAX_VALUE, trial);
    }

    Variant atMost(int rounds) {
        return new Variant(workload, name, processes, contestants, rounds, trial);
    }
}
