package io.distributionlock.benchmarks.measurement;

import java.util.Collection;

/** The rounds of one value: median, minimum and maximum. */
public record Statistics(double median, double least, double most, int rounds) {

    /** Of at least one value, in any order. */
    public static Statistics of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("No values, so no median.");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Statistics(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }
}
