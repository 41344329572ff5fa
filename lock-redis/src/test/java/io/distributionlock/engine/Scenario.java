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

    /** Nothing fails; whatever is sent arrives within 20 ms. */
    static final Scenario CALM = of("calm", "usual=20ms gap=1200ms");

    /** Messages are lost: heartbeats have to make up for them. */
    static final Scenario LOST_MESSAGES = of("lost messages", "usual=20ms lost=50 unsubscribed=2 gap=5s");

    /** The network stalls, fails and is made anew; processes stand still for seconds, long enough to lose their leases. */
    static final Scenario STORM = of(
            "storm",
            "usual=60ms stall=12s stalls=10 lost=30 failures=10 reconnects=4 unsubscribed=2 pauses=4 min-holds gap=30s");

    /** The same, and processes die at any moment. */
    static final Scenario CRASHES = of(
            "crashes",
            "usual=60ms stall=6s stalls=5 lost=20 failures=5 reconnects=2 unsubscribed=2 pauses=2 crashes=4 min-holds gap=30s");

    /** Single commands fail, and connections break, but what arrives arrives soon. */
    static final Scenario FAILURES =
            of("failures", "usual=20ms lost=20 failures=20 reconnects=5 unsubscribed=2 min-holds gap=9s");

    /**
     * Everything may take longer than commands and leases last: answers and messages are often out of date, and locks are
     * often lost before they are acquired. Only in the end does every attempt get its turn.
     */
    static final Scenario SLOW = of("slow", "usual=4s stall=12s stalls=20 failures=2 reconnects=2 gap=3600s");

    /** The server sometimes comes back empty, and locks are released by force; holders must learn of it at once. */
    static final Scenario DATA_LOSS = of("data loss", "usual=40ms min-holds gap=30s data-loss forced-releases");

    /** @param what probabilities in thousandths */
    private static Scenario of(String title, String what) {
        Words words = new Words(what);
        Scenario scenario = new Scenario(
                title,
                words.time("usual", "0s"),
                words.time("stall", "0s"),
                words.number("stalls", 0) / 1_000.0,
                words.number("lost", 0) / 1_000.0,
                words.number("failures", 0) / 1_000.0,
                words.number("reconnects", 0) / 1_000.0,
                words.number("unsubscribed", 0) / 1_000.0,
                words.number("pauses", 0) / 1_000.0,
                words.number("crashes", 0) / 1_000.0,
                words.has("min-holds"),
                words.time("gap", "0s"),
                words.has("data-loss"),
                words.has("forced-releases"),
                List.of(LockKind.REENTRANT));
        words.end();
        return scenario;
    }

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
