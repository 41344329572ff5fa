package io.distributionlock.rack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** One library under one fault: some episodes, each with a lock of its own. */
record Cell(Library library, Fault fault) {

    /** For a process that was killed to be replaced. */
    private static final int FACTOR_OF_PAUSE = 31;

    @Override
    public String toString() {
        return library + " / " + fault;
    }

    /** @param episodes 0: as many as the fault asks for */
    Verdict run(Workers workers, Witness witness, long seed, int episodes, Path histories) {
        // All libraries meet the same choices.
        Random random = new Random(seed * FACTOR_OF_PAUSE + fault.ordinal());
        Verdict verdict = Verdict.EMPTY;
        try (Site site = fault.site.get()) {
            workers.open(library, site);
            int count = episodes == 0 ? fault.episodes : episodes;
            int stuck = 0;
            for (int episode = 1; episode <= count; episode++) {
                String name = "rack-" + fault + "-" + episode;
                History history = new History();
                witness.takeDownIn(history);
                long until =
                        System.nanoTime() + Duration.ofSeconds(fault.seconds).toNanos();
                for (int process = 0; process < Workers.COUNT; process++) {
                    workers.run(process, name, until, random.nextLong());
                }
                fault.strike.accept(
                        new Scene(site, workers, library, name, history, new Random(random.nextLong()), until));
                stuck += workers.answers();
                write(history, histories.resolve(toString().replaceAll("[ /]+", "-") + "-" + episode + ".txt"));
                verdict = verdict.and(Judge.verdictOn(history)).with(Figure.STUCK, stuck);
            }
            int threads = workers.closeAll();
            return verdict.with(Figure.THREADS_LEFT, threads).with(Figure.KEYS_LEFT, site.keysLeft("rack-"));
        }
    }

    private static void write(History history, Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, history.lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
