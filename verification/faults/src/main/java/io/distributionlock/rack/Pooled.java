package io.distributionlock.rack;

import java.util.List;
import java.util.function.Function;

/** All episodes of a cell, or of several. */
record Pooled(List<Row> rows) {

    int episodes() {
        return rows.size();
    }

    Verdict verdict() {
        return rows.stream().map(Row::verdict).reduce(Verdict.EMPTY, Verdict::and);
    }

    /** In how many episodes it came to this, and to nothing worse. */
    long episodes(Function<Row, Opinion.Level> judge, Opinion.Level level) {
        return rows.stream().filter(row -> judge.apply(row) == level).count();
    }

    long broken() {
        return episodes(row -> row.own().worst(), Opinion.Level.BROKEN);
    }

    long ofRedis() {
        return episodes(row -> row.own().worst(), Opinion.Level.REDIS);
    }

    /** The longest time of an episode, in the middle one of all. */
    long medianFree() {
        List<Long> sorted = rows.stream()
                .map(row -> row.verdict().of(Figure.LONGEST_FREE))
                .sorted()
                .toList();
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
    }
}
