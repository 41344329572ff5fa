package io.distributionlock.rack;

import io.distributionlock.rack.History.Kind;
import io.distributionlock.rack.History.Window;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

/**
 * Says what a history shows.
 *
 * <p>Two sections of a lock overlap <em>by the lease</em> if one began before the lease of the other was over, and <em>by what was told</em>
 * if one began before the other was last told that it holds the lock. A process that does not run uses nothing: its section does not overlap
 * by what it was told if it is told of its loss before it goes on.
 */
final class Judge {

    private static final long LEASE = Library.LEASE.toNanos();

    private final History history;
    private final Excuses excuses;
    private final List<Attempt> attempts;

    /** In the order in which they went in. */
    private final List<Attempt> sections;

    private final Map<Figure, Long> counts = new EnumMap<>(Figure.class);

    private Judge(History history) {
        this.history = history;
        this.attempts = history.attempts();
        this.excuses = new Excuses(history);
        this.sections = history.sections();
    }

    static Verdict verdictOn(History history) {
        return new Judge(history).verdict();
    }

    private Verdict verdict() {
        counts.put(Figure.ATTEMPTS, (long) attempts.size());
        counts.put(Figure.GRANTED, (long) sections.size());
        counts.put(
                Figure.FAILED,
                attempts.stream().filter(attempt -> attempt.failed).count());
        for (int i = 0; i < sections.size(); i++) {
            Attempt first = sections.get(i);
            List<Attempt> later = sections.subList(i + 1, sections.size());
            countFirst(later, first, this::overlapsByLease, Figure.OVERLAPS_BY_LEASE);
            countFirst(later, first, (one, other) -> other.entered < one.lastTold, Figure.OVERLAPS_BY_TOLD);
            if (later.stream().anyMatch(second -> second.entered < first.endOfUse()) && !first.isDead) {
                overtaken(first);
            }
            checkToken(first, sections.subList(0, i));
        }
        counts.put(Figure.LONGEST_FREE, TimeUnit.NANOSECONDS.toMillis(longestFree()));
        return new Verdict(counts);
    }

    private void count(Figure figure) {
        counts.merge(figure, 1L, Long::sum);
    }

    /** Counts a section once, however many ran into it: as the library's, if Redis's loss does not explain one of them. */
    private void countFirst(List<Attempt> later, Attempt first, BiPredicate<Attempt, Attempt> overlap, Figure figure) {
        List<Attempt> overlapping =
                later.stream().filter(second -> overlap.test(first, second)).toList();
        if (!overlapping.isEmpty()) {
            boolean redis = overlapping.stream().allMatch(second -> excuses.isLossOfRedis(first, second));
            count(redis ? figure.ofRedis() : figure);
        }
    }

    private boolean overlapsByLease(Attempt first, Attempt second) {
        return second.entered < Math.min(first.endOfUse(), first.leaseUntil) && !excuses.isGrantedLongAgo(second);
    }

    private void overtaken(Attempt section) {
        count(Figure.OVERTAKEN);
        if (section.toldLost == 0 && section.release != null) {
            count(section.release == Attempt.Release.OK ? Figure.UNTOLD : Figure.TOLD_LATE);
        }
    }

    /** A section's token is greater than that of each one that was over when it began. */
    private void checkToken(Attempt section, List<Attempt> earlier) {
        earlier.stream()
                .filter(other -> section.token != 0 && section.token <= other.token && other.lastTold < section.entered)
                .reduce((one, another) -> another)
                .ifPresent(other -> count(
                        excuses.isLossOfRedis(other, section)
                                ? Figure.TOKENS_INVERTED.ofRedis()
                                : Figure.TOKENS_INVERTED));
    }

    private long longestFree() {
        long free = 0;
        long longest = 0;
        for (Attempt section : sections) {
            if (free != 0) {
                longest = Math.max(longest, waitedFor(free, section.entered));
            }
            free = Math.max(free, freeAfter(section));
        }
        long end =
                attempts.stream().mapToLong(attempt -> attempt.answered).max().orElse(0);
        return Math.max(longest, free == 0 ? 0 : waitedFor(free, end));
    }

    /** When nothing was in the way of the next one any more: its lease ends although its process may not know of it. */
    private long freeAfter(Attempt section) {
        long use = section.endOfUse();
        long released = section.release == Attempt.Release.OK ? section.releaseAnswered : Long.MAX_VALUE;
        boolean isFreed = section.release == Attempt.Release.OK || section.release == Attempt.Release.LOST;
        long free = isFreed ? use : Math.min(use, Long.MAX_VALUE - LEASE) + LEASE;
        for (Window stall : excuses.stalls(section.process)) {
            if (stall.meets(section.entered, Math.max(section.releaseAnswered, use))) {
                free = Math.min(released, stall.from() + LEASE);
            }
        }
        return free;
    }

    /** How long somebody who could have had it waited in this time, while Redis served. */
    private long waitedFor(long free, long next) {
        long since = attempts.stream()
                .filter(attempt ->
                        !attempt.isDead && attempt.called < next && (attempt.answered == 0 || attempt.answered > free))
                .filter(attempt -> excuses.stalls(attempt.process).stream().noneMatch(stall -> stall.meets(free, next)))
                .mapToLong(attempt -> attempt.called)
                .min()
                .orElse(next);
        long from = Math.max(free, since);
        long outage = history.windows(Kind.OUTAGE).stream()
                .mapToLong(window -> Math.max(0, Math.min(window.to(), next) - Math.max(window.from(), from)))
                .sum();
        return Math.max(0, next - from - outage);
    }
}
