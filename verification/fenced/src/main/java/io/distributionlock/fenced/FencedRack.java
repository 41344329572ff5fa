package io.distributionlock.fenced;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Runs the rack on each database, and says what it has found and what it has left out. */
final class FencedRack {

    /** The part of the episodes that a replicated Redis takes part in. */
    private static final int SENTINELS_PERCENT = 15;

    /** So says the database that is not installed. */
    private static final String MISSING = "This machine has no ";

    private final Options options;
    private final Table table = new Table();
    private final List<String> leftOut = new ArrayList<>();

    FencedRack(Options options) {
        this.options = options;
    }

    public static void main(String[] arguments) throws IOException {
        Options options = Options.parse(arguments);
        Table table = new FencedRack(options).run();
        System.exit(table.faultsOfTheGuard() == 0 ? 0 : 1);
    }

    Table run() throws IOException {
        System.out.println("seed " + options.seed());
        Random random = new Random(options.seed());
        int each = (options.episodes() + options.databases().size() - 1)
                / options.databases().size();
        for (Database.Kind kind : options.databases()) {
            @Nullable Database started = start(kind);
            if (started != null) {
                try (Database database = started) {
                    run(kind.title, database, each, random);
                    Files.writeString(Files.createDirectories(options.folder()).resolve("fenced.csv"), table.csv());
                }
            }
        }
        report();
        return table;
    }

    /** What this machine does not have is left out, and said so. */
    private @Nullable Database start(Database.Kind kind) {
        try {
            return kind.start();
        } catch (IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).startsWith(MISSING)) {
                throw e;
            }
            leftOut.add(kind.title + " (" + e.getMessage() + ")");
            return null;
        }
    }

    /** What this machine could not run, and why. */
    List<String> leftOut() {
        return leftOut;
    }

    private void run(String title, Database database, int episodes, Random random) {
        Map<Guard, Tally> tallies = Cell.tallies();
        table.add(title, tallies);
        int watched = options.sentinels() ? episodes * SENTINELS_PERCENT / 100 : 0;
        if (watched > 0) {
            try (Site site = new Site.Watched()) {
                new Cell(title + "-s", database, tallies, random, options.round())
                        .run(site, watched, part(SENTINELS_PERCENT));
            }
        }
        try (Site site = new Site.OneServer()) {
            new Cell(title + "-", database, tallies, random, options.round()).run(site, episodes - watched, part(100));
        }
    }

    private Duration part(int percent) {
        return options.longest().multipliedBy(percent).dividedBy(100);
    }

    private void report() {
        if (!options.sentinels()) {
            leftOut.add("failover by Sentinels");
        }
        for (Database.Kind kind : Database.Kind.values()) {
            if (!options.databases().contains(kind)) {
                leftOut.add(kind.title);
            }
        }
        System.out.println(table.markdown());
        System.out.println(table.errors());
        System.out.println(table.episodes() + " of " + options.episodes() + " episodes, seed " + options.seed()
                + "; under the guard of the database "
                + table.faultsOfTheGuard() + " lost updates, stale commits or false reports; left out: "
                + (leftOut.isEmpty() ? "nothing" : String.join(", ", leftOut)));
    }
}
