package io.distributionlock.faults;

import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Proves from what threads of several processes saw that the lock kept its promises, or says where it did not. */
final class HistoryChecker {

    private final List<String> violations = new ArrayList<>();

    private HistoryChecker() {}

    /**
     * Exclusion and fencing. No two leases of a name were valid at the same time; and whoever got the lock later has a greater
     * fencing token.
     */
    static List<String> violationsOf(Collection<Turn> turns) {
        HistoryChecker checker = new HistoryChecker();
        byKey(turns).values().forEach(checker::checkExclusion);
        byKey(turns).values().forEach(checker::checkFencing);
        return checker.violations;
    }

    /**
     * Permits of one name: no more leases than there are were valid at once, and whoever asked after another was given a permit has a
     * greater fencing token. Those who were given theirs together learn of it in any order.
     */
    static List<String> violationsOfPermits(Collection<Turn> turns, int permits) {
        HistoryChecker checker = new HistoryChecker();
        checker.checkPermits(turns, permits);
        checker.checkDoubles(turns);
        checker.checkTokensOfCalls(numbered(turns));
        return checker.violations;
    }

    /**
     * Only the fencing tokens: when Redis loses its data, exclusion is not promised, but even then whoever asks for the lock after a
     * token was known has a greater one.
     */
    static List<String> fencingViolationsOf(Collection<Turn> turns) {
        HistoryChecker checker = new HistoryChecker();
        byKey(turns).values().forEach(checker::checkDoubles);
        byKey(numbered(turns)).values().forEach(checker::checkTokensOfCalls);
        return checker.violations;
    }

    /**
     * No waiter is forgotten. Every attempt ended when its budget was over at the latest, give or take the slack; nobody was told
     * "busy" before; and nobody waited longer than the longest wait that is thinkable. The time for which the waiter's own process
     * was stopped does not count.
     */
    static List<String> violationsOf(
            Collection<Attempt> attempts, Collection<Pause> pauses, Duration longestWait, Duration slack) {
        HistoryChecker checker = new HistoryChecker();
        attempts.forEach(attempt -> checker.checkWait(attempt, pauses, longestWait.toNanos(), slack.toNanos()));
        return checker.violations;
    }

    private static Map<String, List<Turn>> byKey(Collection<Turn> turns) {
        return turns.stream().collect(Collectors.groupingBy(Turn::key));
    }

    private static List<Turn> numbered(Collection<Turn> turns) {
        return turns.stream().filter(turn -> turn.token() > 0).toList();
    }

    private void checkExclusion(List<Turn> turns) {
        List<Turn> seenValid = turns.stream()
                .filter(Turn::wasValid)
                .sorted(Comparator.comparingLong(Turn::validFrom))
                .toList();
        @Nullable Turn longest = null;
        for (Turn turn : seenValid) {
            if (longest != null && turn.validFrom() < longest.validUntil()) {
                violations.add("Two leases were valid at the same time: " + longest + " and " + turn);
            }
            if (longest == null || turn.validUntil() > longest.validUntil()) {
                longest = turn;
            }
        }
    }

    private void checkPermits(Collection<Turn> turns, int permits) {
        PriorityQueue<Turn> inside = new PriorityQueue<>(Comparator.comparingLong(Turn::validUntil));
        turns.stream()
                .filter(Turn::wasValid)
                .sorted(Comparator.comparingLong(Turn::validFrom))
                .forEach(turn -> {
                    while (!inside.isEmpty() && inside.element().validUntil() <= turn.validFrom()) {
                        inside.remove();
                    }
                    inside.add(turn);
                    if (inside.size() > permits) {
                        violations.add("More than " + permits + " leases were valid at the same time: " + inside);
                    }
                });
    }

    private void checkFencing(List<Turn> turns) {
        checkDoubles(turns);
        List<Turn> numbered = numbered(turns);
        checkTokensOfCalls(numbered);
        checkTokensOfValidity(numbered);
    }

    private void checkDoubles(Collection<Turn> turns) {
        Map<Long, Turn> byToken = new HashMap<>();
        for (Turn turn : turns) {
            @Nullable Turn other = turn.token() == 0 ? null : byToken.putIfAbsent(turn.token(), turn);
            if (other != null) {
                violations.add("Two leases have the same fencing token: " + other + " and " + turn);
            }
            if (turn.released() == ReleaseResult.ALREADY_RELEASED || turn.released() == ReleaseResult.STILL_HELD) {
                violations.add("Nothing is released twice or entered twice here: " + turn);
            }
        }
    }

    /** Who knew its token before another asked for the lock has the smaller one. */
    private void checkTokensOfCalls(List<Turn> turns) {
        List<Turn> byReturn = turns.stream()
                .sorted(Comparator.comparingLong(Turn::returnedAt))
                .toList();
        List<Turn> byCall =
                turns.stream().sorted(Comparator.comparingLong(Turn::calledAt)).toList();
        @Nullable Turn greatest = null;
        int next = 0;
        for (Turn turn : byCall) {
            while (next < byReturn.size() && byReturn.get(next).returnedAt() < turn.calledAt()) {
                Turn earlier = byReturn.get(next++);
                if (greatest == null || earlier.token() > greatest.token()) {
                    greatest = earlier;
                }
            }
            requireGreater(greatest, turn);
        }
    }

    /** Who held the lock earlier has the smaller token. */
    private void checkTokensOfValidity(List<Turn> turns) {
        List<Turn> seenValid = turns.stream()
                .filter(Turn::wasValid)
                .sorted(Comparator.comparingLong(Turn::validFrom))
                .toList();
        @Nullable Turn greatest = null;
        for (Turn turn : seenValid) {
            requireGreater(greatest, turn);
            if (greatest == null || turn.token() > greatest.token()) {
                greatest = turn;
            }
        }
    }

    private void requireGreater(@Nullable Turn earlier, Turn later) {
        if (earlier != null && later.token() < earlier.token()) {
            violations.add("A later lease has a smaller fencing token: first " + earlier + ", then " + later);
        }
    }

    private void checkWait(Attempt attempt, Collection<Pause> pauses, long longestWait, long slack) {
        long paused = pauses.stream()
                .filter(pause -> pause.process().equals(attempt.process()))
                .mapToLong(pause -> pause.within(attempt.calledAt(), attempt.endedAt()))
                .sum();
        long elapsed = attempt.endedAt() - attempt.calledAt();
        long waited = elapsed - paused;
        if (waited > longestWait) {
            violations.add("A live waiter had no turn for " + millis(waited) + " ms: " + attempt);
        } else if (waited > attempt.budgetNanos() + slack) {
            violations.add("A waiter waited " + millis(waited - attempt.budgetNanos()) + " ms too long: " + attempt);
        }
        if (Attempt.BUSY.equals(attempt.outcome()) && elapsed < attempt.budgetNanos()) {
            violations.add("A waiter was told 'busy' before its time was over: " + attempt);
        }
    }

    private static long millis(long nanos) {
        return nanos / 1_000_000;
    }
}
