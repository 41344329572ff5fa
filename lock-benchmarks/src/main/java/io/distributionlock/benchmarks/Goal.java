package io.distributionlock.benchmarks;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A number to reach, and the number that was reached.
 *
 * @param text what is wanted
 * @param relation whether the number is to be at least or at most the bound
 * @param bound the number to reach
 * @param reached what was measured; empty if it was not
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
