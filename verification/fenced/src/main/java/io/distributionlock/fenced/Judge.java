package io.distributionlock.fenced;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.jdbc.core.JdbcTemplate;

/** Compares what the workers report of one round with what the database has. */
final class Judge {

    private final JdbcTemplate jdbc;

    Judge(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** A row of the log; rows are in the order of the commits of their counter. */
    private record Commit(String attempt, long token) {}

    Tally judge(String counter, Collection<Attempt> attempts, List<Strike> strikes) {
        List<Commit> commits = jdbc.query(
                "SELECT attempt, token FROM commits WHERE counter = ? ORDER BY seq",
                (row, number) -> new Commit(row.getString(1).trim(), row.getLong(2)),
                counter);
        long value = Objects.requireNonNull(
                jdbc.queryForObject("SELECT n FROM counters WHERE name = ?", Long.class, counter));
        Map<String, Attempt> own = new HashMap<>();
        attempts.stream()
                .filter(attempt -> attempt.counter().equals(counter))
                .forEach(attempt -> own.put(attempt.id(), attempt));
        List<Attempt> committed = commits.stream()
                .map(commit -> Objects.requireNonNull(own.get(commit.attempt), "committed by nobody"))
                .toList();

        Tally tally = new Tally();
        count(List.copyOf(own.values()), new HashSet<>(committed), tally);
        committed.forEach(attempt -> tally.committed.merge(Manner.of(attempt.worker()), 1, Integer::sum));
        tally.lost = (int) (commits.size() - value);
        tally.stale = backwards(committed.stream().map(Attempt::start).toList());
        tally.smallerTokens = backwards(commits.stream().map(Commit::token).toList());
        strike(own.values(), strikes, tally.struck);
        return tally;
    }

    private static void count(List<Attempt> own, Set<Attempt> committed, Tally tally) {
        tally.sections = count(own, attempt -> attempt.hasBegun() || attempt.outcome() == Outcome.REFUSED);
        tally.overtaken = count(own, attempt -> own.stream().anyMatch(attempt::wasOvertakenBy));
        tally.done = count(own, attempt -> attempt.outcome() == Outcome.DONE);
        tally.refused = count(own, attempt -> attempt.outcome() == Outcome.REFUSED);
        tally.failed = count(own, attempt -> attempt.outcome() == Outcome.FAILED && attempt.hasBegun());
        tally.unknown = count(own, attempt -> attempt.outcome() == Outcome.UNKNOWN);
        tally.unknownCommitted =
                count(own, attempt -> attempt.outcome() == Outcome.UNKNOWN && committed.contains(attempt));
        tally.lies = count(own, attempt -> isLie(attempt.outcome(), committed.contains(attempt)));
        own.stream()
                .filter(attempt -> !attempt.error().isEmpty())
                .forEach(attempt -> tally.errors.merge(attempt.outcome() + " " + attempt.error(), 1, Integer::sum));
    }

    private static int count(List<Attempt> attempts, Predicate<Attempt> which) {
        return (int) attempts.stream().filter(which).count();
    }

    /** How many are smaller than one before them. */
    private static int backwards(List<Long> numbers) {
        int smaller = 0;
        long greatest = Long.MIN_VALUE;
        for (long number : numbers) {
            smaller += number < greatest ? 1 : 0;
            greatest = Math.max(greatest, number);
        }
        return smaller;
    }

    /** Reported as done and not in the log, or as refused or failed, and in it. */
    private static boolean isLie(Outcome reported, boolean committed) {
        return switch (reported) {
            case DONE -> !committed;
            case REFUSED, FAILED -> committed;
            case UNKNOWN -> false;
        };
    }

    private static void strike(Collection<Attempt> attempts, List<Strike> strikes, Map<Fault, Integer> struck) {
        for (Attempt attempt : attempts) {
            List<Fault> hits = new ArrayList<>();
            if (attempt.late()) {
                hits.add(Fault.LATE);
            }
            strikes.stream()
                    .filter(strike -> strike.hit(attempt))
                    .map(Strike::fault)
                    .forEach(hits::add);
            hits.stream().min(Fault::compareTo).ifPresent(fault -> struck.merge(fault, 1, Integer::sum));
        }
    }
}
