package io.distributionlock.rack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rack is fit: it finds the broken lock, and does not accuse this library. Lincheck says the same. */
class RackIT {

    @TempDir
    private Path folder;

    @Test
    void theRackFindsTheBrokenLockAndDoesNotAccuseThisOne() {
        try (Witness witness = new Witness();
                Workers workers = new Workers(witness)) {
            List<Row> broken = List.of();
            for (int seed = 1; seed <= 5 && !isConvicted(broken); seed++) {
                broken = run(Library.BROKEN, Fault.FORCED, workers, witness, seed);
            }
            List<Row> library = run(Library.DISTRIBUTION_LOCK, Fault.PAUSED, workers, witness, 7);

            assertThat(isConvicted(broken)).as(broken.toString()).isTrue();
            assertThat(isConvicted(library)).as(library.toString()).isFalse();
            assertThat(Stream.concat(broken.stream(), library.stream()))
                    .allSatisfy(row -> assertThat(row.lincheck()).isEqualTo(row.own()));
        }
    }

    private List<Row> run(Library library, Fault fault, Workers workers, Witness witness, long seed) {
        return new Cell(library, fault).run(workers, witness, new Row.Stamp("redis", seed, "here", "here"), 1, folder);
    }

    private static boolean isConvicted(List<Row> rows) {
        return rows.stream().anyMatch(row -> row.own().worst() == Opinion.Level.BROKEN);
    }
}
