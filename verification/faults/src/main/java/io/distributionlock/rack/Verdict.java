package io.distributionlock.rack;

import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of an episode, or of many. */
record Verdict(Map<Figure, Long> figures) {

    static final Verdict EMPTY = new Verdict(Map.of());

    long of(Figure figure) {
        return figures.getOrDefault(figure, 0L);
    }

    Verdict with(Figure figure, long value) {
        Map<Figure, Long> more = new EnumMap<>(Figure.class);
        more.putAll(figures);
        more.put(figure, value);
        return new Verdict(more);
    }

    /** Of both: the longest time is the longer one, everything else the sum. */
    Verdict and(Verdict other) {
        Verdict both = this;
        for (Figure figure : Figure.values()) {
            long value = figure.isGreatest() ? Math.max(of(figure), other.of(figure)) : of(figure) + other.of(figure);
            both = both.with(figure, value);
        }
        return both;
    }

    @Override
    public String toString() {
        return figures.entrySet().stream()
                .filter(figure -> figure.getValue() != 0)
                .map(figure -> figure.getKey() + " " + figure.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Whether two callers held the lock at once, and Redis had lost nothing. */
    boolean isBroken() {
        return of(Figure.OVERLAPS_BY_LEASE) + of(Figure.OVERLAPS_BY_TOLD) + of(Figure.TOKENS_INVERTED) > 0;
    }
}
