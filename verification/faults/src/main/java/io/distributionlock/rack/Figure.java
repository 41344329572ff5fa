package io.distributionlock.rack;

import java.util.Locale;

/** What is counted in each cell. Those "of Redis" lie around a moment in which Redis itself lost what the library had stored. */
enum Figure {
    ATTEMPTS,
    GRANTED,
    /** Attempts that ended in an exception. */
    FAILED,
    /** Sections that another one began in while their lease had to last. */
    OVERLAPS_BY_LEASE,
    OVERLAPS_BY_LEASE_OF_REDIS,
    /** Sections that were told that they hold the lock after another one had begun. */
    OVERLAPS_BY_TOLD,
    OVERLAPS_BY_TOLD_OF_REDIS,
    /** Sections whose token is not greater than that of an earlier one. */
    TOKENS_INVERTED,
    TOKENS_INVERTED_OF_REDIS,
    /** Sections that were not over when another one began. */
    OVERTAKEN,
    /** Of these: told only by the release. */
    TOLD_LATE,
    /** Of these: never told. */
    UNTOLD,
    /** The longest time in milliseconds for which a free lock was not given to a waiter. */
    LONGEST_FREE,
    /** Keys that never end. */
    KEYS_LEFT,
    /** Threads two seconds after everything was closed. */
    THREADS_LEFT,
    /** Callers that had no answer long after their time was over. */
    STUCK,
    /** For how many milliseconds at most the machine ran nothing of the rack: what is measured is no better than that. */
    STANDSTILL;

    /** Of many episodes the greatest says more than the sum. */
    boolean isGreatest() {
        return this == LONGEST_FREE || this == STANDSTILL;
    }

    /** The same, where Redis's loss explains it. */
    Figure ofRedis() {
        return valueOf(name() + "_OF_REDIS");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
