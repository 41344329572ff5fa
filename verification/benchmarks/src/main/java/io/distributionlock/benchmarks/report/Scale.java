package io.distributionlock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Where a value stands on an axis, from 0 to 1: in proportion, or by its logarithm if the values differ by more than a factor of ten. */
final class Scale {

    private static final double DECADE = 10;

    private final boolean logarithmic;
    private final double from;
    private final double to;

    private Scale(boolean logarithmic, double from, double to) {
        this.logarithmic = logarithmic;
        this.from = from;
        this.to = to;
    }

    /** An axis for values of this range; values of 0 and less stand at the beginning of a logarithmic one. */
    static Scale of(double leastPositive, double most) {
        if (leastPositive <= 0 || most <= 0) {
            return new Scale(false, 0, most <= 0 ? 1 : most);
        }
        if (most / leastPositive <= DECADE) {
            return new Scale(false, 0, roundedUp(most));
        }
        return new Scale(
                true,
                Math.pow(DECADE, Math.floor(Math.log10(leastPositive))),
                Math.pow(DECADE, Math.ceil(Math.log10(most))));
    }

    private static double roundedUp(double most) {
        double decade = Math.pow(DECADE, Math.floor(Math.log10(most)));
        return Math.ceil(most / decade * 2) / 2 * decade;
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    double place(double value) {
        if (!logarithmic) {
            return Math.min(1, Math.max(0, value / to));
        }
        return value <= from ? 0 : Math.min(1, Math.log10(value / from) / Math.log10(to / from));
    }

    /** Where lines are drawn across. */
    List<Double> marks() {
        List<Double> marks = new ArrayList<>();
        if (logarithmic) {
            for (double mark = from; mark <= to * 1.001; mark *= DECADE) {
                marks.add(mark);
            }
        } else {
            for (int i = 0; i <= 5; i++) {
                marks.add(to * i / 5);
            }
        }
        return marks;
    }
}
