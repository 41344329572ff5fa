package io.distributionlock.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A target value and the measured one.
 *
 * @param text what is measured
 * @param relation whether the value must be at least or at most the bound
 * @param bound the target value
 * @param reached the measured value; empty if there is none
 */
record Goal(String text, Relation relation, double bound, OptionalDouble reached) {

    enum Relation {
        AT_LEAST("at least"),
        AT_MOST("at most");

        private final String text;

        Relation(String text) {
            this.text = text;
        }
    }

    static Goal atLeast(String text, double bound, OptionalDouble reached) {
        return new Goal(text, Relation.AT_LEAST, bound, reached);
    }

    static Goal atMost(String text, double bound, OptionalDouble reached) {
        return new Goal(text, Relation.AT_MOST, bound, reached);
    }

    boolean isMet() {
        return reached.isPresent()
                && (relation == Relation.AT_LEAST ? reached.getAsDouble() >= bound : reached.getAsDouble() <= bound);
    }

    String verdict() {
        if (reached.isEmpty()) {
            return "not measured";
        }
        return isMet() ? "met" : "missed";
    }

    String wanted() {
        return relation.text + " " + number(bound);
    }

    String measured() {
        return reached.isEmpty() ? "–" : number(reached.getAsDouble());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 1_000 ? "%.0f" : "%.3g", value);
    }
}
