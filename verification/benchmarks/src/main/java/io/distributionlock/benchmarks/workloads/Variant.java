package io.distributionlock.benchmarks.workloads;

import java.util.List;

/**
 * A workload with its numbers of threads, processes and so on.
 *
 * @param processes how many workers of a contestant it needs
 * @param contestants the contestants that take part
 * @param place where Redis is
 * @param roundTripMillis how long a round trip to Redis takes, if it is behind a network
 * @param mostRounds no more rounds than that, because they are long
 */
public record Variant(
        String workload,
        String name,
        int processes,
        List<String> contestants,
        Place place,
        double roundTripMillis,
        int mostRounds,
        Trial trial) {

    Variant(String workload, String name, int processes, List<String> contestants, Trial trial) {
        this(workload, name, processes, contestants, Place.HERE, 0, Integer.MAX_VALUE, trial);
    }

    Variant atMost(int rounds) {
        return new Variant(workload, name, processes, contestants, place, roundTripMillis, rounds, trial);
    }

    Variant behind(double millis) {
        return new Variant(workload, name, processes, contestants, Place.BEHIND_A_NETWORK, millis, mostRounds, trial);
    }

    Variant onThreeMasters() {
        return new Variant(workload, name, processes, contestants, Place.THREE_MASTERS, 0, mostRounds, trial);
    }
}
