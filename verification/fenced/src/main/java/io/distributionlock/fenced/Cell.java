package io.distributionlock.fenced;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.jdbc.core.JdbcTemplate;

/** One database under faults: rounds with counters of their own, in which all guards meet the same faults. */
final class Cell {

    private static final Duration ROUND = Duration.ofSeconds(15);

    /** Of each guard. Few, so that somebody waits for each. */
    private static final int COUNTERS = 2;

    private final Database database;
    private final Map<Guard, Tally> tallies;
    private final Random random;
    private final String name;

    /** @param tallies are added to */
    Cell(String name, Database database, Map<Guard, Tally> tallies, Random random) {
        this.name = name;
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

    /** Goes on until there are so many episodes, or the time is over. */
    void run(Site site, int episodes, Duration longest) {
        int wanted = episodes(tallies) + episodes;
        try (Workers workers = new Workers(site, database)) {
            long deadline = System.nanoTime() + longest.toNanos();
            int round = 0;
            do {
                round++;
                round(name + round, site, workers);
                System.err.println(name + round + ": " + episodes(tallies) + " of " + wanted + " episodes");
            } while (episodes(tallies) < wanted && System.nanoTime() < deadline);
        }
    }

    private void round(String round, Site site, Workers workers) {
        JdbcTemplate jdbc = database.jdbc();
        for (Guard guard : Guard.values()) {
            for (int counter = 0; counter < COUNTERS; counter++) {
                jdbc.update("INSERT INTO counters (name, n) VALUES (?, 0)", Calls.counter(round, guard, counter));
            }
        }
        long until = System.nanoTime() + ROUND.toNanos();
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
