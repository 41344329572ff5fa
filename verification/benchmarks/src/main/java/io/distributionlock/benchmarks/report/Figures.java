package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.measurement.Statistics;
import java.util.Locale;

/** Writes numbers with about three digits that say something. */
final class Figures {

    private Figures() {}

    static String of(double value) {
        double size = Math.abs(value);
        if (size == 0) {
            return "0";
        }
        if (size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size >= 10) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        if (size >= 1) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        return size >= 0.001 ? String.format(Locale.ROOT, "%.3f", value) : String.format(Locale.ROOT, "%.1e", value);
    }

    static String of(Statistics statistics) {
        String median = of(statistics.median());
        return statistics.rounds() == 1
                ? median
                : median + " [" + of(statistics.least()) + "–" + of(statistics.most()) + "]";
    }
}
