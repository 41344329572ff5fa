package io.distributionlock.engine;

import io.distributionlock.LockKind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;

/**
 * What can go wrong in a simulation. Probabilities are for each step.
 *
 * @param usualDelay how long a command, answer or message takes at most, usually
 * @param stall how long it takes at most when the network stalls
 * @param stalls how often something stalls, of everything that is sent
 * @param longestGap how long a lock may stay free while an attempt waits for it, and no process is paused or cut off
 * @param dataLoss whether the server forgets everything now and then, which ends every promise but fencing and order
 * @param kinds what is asked for, each equally often
 * @param forcedReleases whether locks are freed by force now and then
 */
record Scenario(
        String title,
        Duration usualDelay,
        Duration stall,
        double stalls,
        double lostMessages,
        double failures,
        double reconnects,
        double lostSubscriptions,
        double pauses,
        double crashes,
        boolean minHolds,
        Duration longestGap,
        boolean dataLoss,
        boolean forcedReleases,
        List<LockKind> kinds) {

    private static final List<LockKind> REENTRANT = List.of(LockKind.REENTRANT);

    private static final Duration NONE = Duration.ZERO;

    /** Nothing fails; whatever is sent arrives within 20 ms. */
    static final Scenario CALM = new Scenario(
            "calm",
            Duration.ofMillis(20),
            NONE,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            false,
            Duration.ofMillis(1_200),
            false,
            false,
            REENTRANT);

    /** Messages are lost: heartbeats have to make up for them. */
    static final Scenario LOST_MESSAGES = new Scenario(
            "lost messages",
            Duration.ofMillis(20),
            NONE,
            0,
            0.05,
            0,
            0,
            0.002,
            0,
            0,
            false,
            Duration.ofMillis(5_000),
            false,
            false,
            REENTRANT);

    /** The network stalls, fails and is made anew; processes stand still for seconds, long enough to lose their leases. */
    static final Scenario STORM = new Scenario(
            "storm",
            Duration.ofMillis(60),
            Duration.ofSeconds(12),
            0.01,
            0.03,
            0.01,
            0.004,
            0.002,
            0.004,
            0,
            true,
            Duration.ofSeconds(30),
            false,
            false,
            REENTRANT);

    /** The same, and processes die at any moment. */
    static final Scenario CRASHES = new Scenario(
            "crashes",
            Duration.ofMillis(60),
            Duration.ofSeconds(6),
            0.005,
            0.02,
            0.005,
            0.002,
            0.002,
            0.002,
            0.004,
            true,
            Duration.ofSeconds(30),
            false,
            false,
            REENTRANT);

    /** Single commands fail, and connections break, but what arrives arrives soon. */
    static final Scenario FAILURES = new Scenario(
            "failures",
            Duration.ofMillis(20),
            NONE,
            0,
            0.02,
            0.02,
            0.005,
            0.002,
            0,
            0,
            true,
            Duration.ofSeconds(9),
            false,
            false,
            REENTRANT);

    /**
     * Everything may take longer than commands and leases last: answers and messages are often out of date, and locks are
     * often lost before they are acquired. Only in the end does every attempt get its turn.
     */
    static final Scenario SLOW = new Scenario(
            "slow",
            Duration.ofSeconds(4),
            Duration.ofSeconds(12),
            0.02,
            0,
            0.002,
            0.002,
            0,
            0,
            0,
            false,
            Duration.ofHours(1),
            false,
            false,
            REENTRANT);

    /** The server sometimes comes back empty, and locks are released by force; holders must learn of it at once. */
    static final Scenario DATA_LOSS = new Scenario(
            "data loss",
            Duration.ofMillis(40),
            NONE,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            true,
            Duration.ofSeconds(30),
            true,
            true,
            REENTRANT);

    /** The same, with every kind of lock. */
    Scenario withAllKinds() {
        return asking(List.copyOf(EnumSet.complementOf(EnumSet.of(LockKind.PERMIT))), "all kinds");
    }

    /** The same, with names that have permits: two, or as many as the process thinks. */
    Scenario withPermits() {
        return asking(List.of(LockKind.PERMIT), "permits");
    }

    boolean hasPermits() {
        return kinds.contains(LockKind.PERMIT);
    }

    /** The same, with readers and writers only. */
    Scenario withReadersAndWriters() {
        return asking(List.of(LockKind.READ, LockKind.READ, LockKind.WRITE), "readers and writers");
    }

    private Scenario asking(List<LockKind> kinds, String suffix) {
        return new Scenario(
                title + ", " + suffix,
                usualDelay,
                stall,
                stalls,
                lostMessages,
                failures,
                reconnects,
                lostSubscriptions,
                pauses,
                crashes,
                minHolds,
                longestGap,
                dataLoss,
                forcedReleases,
                kinds);
    }

    boolean keepsExclusion() {
        return !dataLoss && !forcedReleases;
    }

    boolean isQuiet() {
        return failures == 0 && reconnects == 0 && pauses == 0 && crashes == 0 && stalls == 0 && keepsExclusion();
    }

    @Override
    public String toString() {
        return title;
    }
}
