package io.distributionlock.rack;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One library under one fault: some episodes, each with a lock of its own. */
record Cell(Library library, Fault fault) {

    /** For a process that was killed to be replaced. */
    private static final int FACTOR_OF_PAUSE = 31;

    /** How long an episode goes on when the last blow has fallen: for longer than a lease. */
    private static final Duration SETTLEMENT = Duration.ofSeconds(4);

    @Override
    public String toString() {
        return library + " / " + fault;
    }

    /** What a file of it is called. */
    String fileName() {
        return toString().replaceAll("[ /]+", "-");
    }

    /**
     * Strikes so often.
     *
     * @param stamp what every row says of the run
     * @return a row for each episode; the last one says what is left when all is closed
     */
    List<Row> run(Workers workers, Witness witness, Row.Stamp stamp, int episodes, Path histories) {
        List<Row> rows = new ArrayList<>();
        run(workers, witness, stamp, episodes, histories, rows);
        return rows;
    }

    /** @param rows gets the rows; those that are there if servers do not do what they ought to */
    void run(Workers workers, Witness witness, Row.Stamp stamp, int episodes, Path histories, List<Row> rows) {
        // All libraries meet the same choices.
        Random random = new Random(stamp.seed() * FACTOR_OF_PAUSE + fault.ordinal());
        try (Site site = fault.site(library.world)) {
            workers.open(library, site);
            for (int episode = 1; episode <= episodes; episode++) {
                rows.add(strike(workers, witness, site, random, stamp, episode, histories));
            }
            int threads = workers.closeAll();
            Row last = rows.remove(rows.size() - 1);
            rows.add(last.with(
                    last.verdict().with(Figure.THREADS_LEFT, threads).with(Figure.KEYS_LEFT, site.keysLeft("rack-"))));
        }
    }

    private Row strike(
            Workers workers, Witness witness, Site site, Random random, Row.Stamp stamp, int episode, Path histories) {
        String name = "rack-" + fault + "-" + episode;
        History history = new History();
        witness.takeDownIn(history);
        long stuck;
        long standstill;
        try (Standstill watch = new Standstill()) {
            for (int process = 0; process < Workers.COUNT; process++) {
                workers.run(process, name, random.nextLong());
            }
            fault.strike.accept(new Scene(site, workers, library, name, history, new Random(random.nextLong())));
            workers.until(System.nanoTime() + SETTLEMENT.toNanos());
            stuck = workers.answers();
            standstill = watch.longest().toMillis();
        }
        Path file = histories.resolve(fileName() + "-" + stamp.seed() + "-" + episode + ".jsonl");
        HistoryFile.write(history, file);
        Verdict verdict = Judge.verdictOn(history).with(Figure.STUCK, stuck).with(Figure.STANDSTILL, standstill);
        return new Row(stamp, this, episode, verdict, Opinion.of(verdict), LincheckJudge.opinionOn(history));
    }
}
