package io.distributionlock.rack;

import java.util.Locale;

/**
 * What a judge says of one episode.
 *
 * @param lease whether two sections overlapped while the lease of the first had to last
 * @param told whether two sections overlapped by what the first was told
 */
record Opinion(Level lease, Level told) {

    /** How bad it was. */
    enum Level {
        /** No two sections overlapped. */
        CLEAN,
        /** Two overlapped, but Redis had lost the lock. */
        REDIS,
        /** Two overlapped, and nothing excuses it. */
        BROKEN;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Level parse(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }

        static Level of(long own, long ofRedis) {
            return own > 0 ? BROKEN : ofRedis > 0 ? REDIS : CLEAN;
        }
    }

    /** The own judge's. */
    static Opinion of(Verdict verdict) {
        return new Opinion(
                Level.of(verdict.of(Figure.OVERLAPS_BY_LEASE), verdict.of(Figure.OVERLAPS_BY_LEASE_OF_REDIS)),
                Level.of(verdict.of(Figure.OVERLAPS_BY_TOLD), verdict.of(Figure.OVERLAPS_BY_TOLD_OF_REDIS)));
    }

    /** The worse of both. */
    Level worst() {
        return lease.compareTo(told) > 0 ? lease : told;
    }
}
