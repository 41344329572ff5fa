package io.distributionlock.benchmarks.workloads;

import java.util.Arrays;

/** How evenly something was shared. */
final class Fairness {

    private Fairness() {}

    /** Jain's index: 1 if all got the same, 1/n if one of n got everything. Also 1 if there was nothing to get. */
    static double jain(long[] shares) {
        double sum = 0;
        double squares = 0;
        for (long share : shares) {
            sum += share;
            squares += (double) share * share;
        }
        return squares == 0 ? 1 : sum * sum / (shares.length * squares);
    }

    /** What the one with the least got, as a part of all. */
    static double smallestPart(long[] shares) {
        long sum = Arrays.stream(shares).sum();
        return sum == 0 ? 0 : (double) Arrays.stream(shares).min().orElse(0) / sum;
    }
}
