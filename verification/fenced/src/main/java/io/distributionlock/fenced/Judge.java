package io.distributionlock.fenced;

import java.util.ArrayList;
import java.util.Collection;
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
        Set<String> committed = new HashSet<>();
        commits.forEach(commit -> committed.add(commit.attempt));
        List<Attempt> own = attempts.stream()
                .filter(attempt -> attempt.counter().equals(counter))
                .toList();

        Tally tally = new Tally();
        tally.sections = own.size();
        tally.overtaken = count(own, attempt -> own.stream().anyMatch(attempt::wasOvertakenBy));
        tally.done = count(own, attempt -> attempt.outcome() == Outcome.DONE);
        tally.refused = count(own, attempt -> attempt.outcome() == Outcome.REFUSED);
        tally.failed = count(own, attempt -> attempt.outcome() == Outcome.FAILED);
        tally.unknown = count(own, attempt -> attempt.outcome() == Outcome.UNKNOWN);
        tally.unknownCommitted =
                count(own, attempt -> attempt.outcome() == Outcome.UNKNOWN && committed.contains(attempt.id()));
        tally.lost = (int) (tally.done + tally.unknownCommitted - value);
        tally.stale = stale(commits);
        tally.lies = lies(own, committed);
        count(own, strikes, tally.struck);
        own.stream()
                .filter(attempt -> !attempt.error().isEmpty())
                .forEach(attempt -> tally.errors.merge(attempt.outcome() + " " + attempt.error(), 1, Integer::sum));
        return tally;
    }

    private static int count(List<Attempt> attempts, Predicate<Attempt> which) {
        return (int) attempts.stream().filter(which).count();
    }

    private static int stale(List<Commit> commits) {
        int stale = 0;
        long greatest = Long.MIN_VALUE;
        for (Commit commit : commits) {
            stale += commit.token < greatest ? 1 : 0;
            greatest = Math.max(greatest, commit.token);
        }
        return stale;
    }

    /** Reported as done and not in the log, or as refused or failed, and in it. */
    private static int lies(List<Attempt> attempts, Set<String> committed) {
        return count(attempts, attempt -> switch (attempt.outcome()) {
            case DONE -> !committed.contains(attempt.id());
            case REFUSED, FAILED -> committed.contains(attempt.id());
            case UNKNOWN -> false;
        });
    }

    private static void count(List<Attempt> attempts, List<Strike> strikes, Map<Fault, Integer> struck) {
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
