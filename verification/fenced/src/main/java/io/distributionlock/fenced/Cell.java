package io.distributionlock.fenced;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.springframework.jdbc.core.JdbcTemplate;

/** One database under faults: rounds with counters of their own, in which all guards meet the same faults. */
final class Cell {

    /** Of each guard. Few, so that somebody waits for each. */
    private static final int COUNTERS = 2;

    private final Database database;
    private final Map<Guard, Tally> tallies;
    private final Random random;
    private final Duration length;
    private final String name;

    /**
     * @param tallies are added to
     * @param length of a round
     */
    Cell(String name, Database database, Map<Guard, Tally> tallies, Random random, Duration length) {
        this.name = name;
        this.length = length;
        this.database = database;
        this.tallies = tallies;
        this.random = random;
    }

    static Map<Guard, Tally> tallies() {
        Map<Guard, Tally> tallies = new EnumMap<>(Guard.class);
        for (Guard guard : Guard.values()) {
            tallies.put(guard, new Tally());
        }
        return tallies;
    }

    static int episodes(Map<Guard, Tally> tallies) {
        return tallies.values().stream().mapToInt(Tally::episodes).sum();
    }

    /**
     * Goes on until there are so many episodes and something has gone wrong without a guard, because until then they prove nothing; or
     * until the time is over.
     */
    void run(Site site, int episodes, Duration longest) {
        int wanted = episodes(tallies) + episodes;
        try (Workers workers = new Workers(site, database)) {
            long deadline = System.nanoTime() + longest.toNanos();
            int round = 0;
            do {
                round++;
                round(name + round, site, workers);
                System.err.println(name + round + ": " + episodes(tallies) + " of " + wanted + " episodes");
            } while ((episodes(tallies) < wanted || !goesWrongUnguarded()) && System.nanoTime() < deadline);
        }
    }

    private boolean goesWrongUnguarded() {
        Tally unguarded = Objects.requireNonNull(tallies.get(Guard.NONE));
        return unguarded.lost > 0 && unguarded.stale > 0;
    }

    private void round(String round, Site site, Workers workers) {
        JdbcTemplate jdbc = database.jdbc();
        for (Guard guard : Guard.values()) {
            for (int counter = 0; counter < COUNTERS; counter++) {
                jdbc.update("INSERT INTO counters (name, n) VALUES (?, 0)", Calls.counter(round, guard, counter));
            }
        }
        workers.awaitReady();
        long until = System.nanoTime() + length.toNanos();
        workers.run(round, COUNTERS, until, random);
        Strikes strikes = new Strikes(site, database, workers, random);
        try (strikes) {
            strikes.strike(round, COUNTERS, until);
        }
        List<Attempt> attempts = workers.attempts();
        Judge judge = new Judge(jdbc);
        tallies.forEach((guard, tally) -> {
            for (int counter = 0; counter < COUNTERS; counter++) {
                tally.add(judge.judge(Calls.counter(round, guard, counter), attempts, strikes.happened()));
            }
        });
    }
}
