package io.distributionlock.rack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rack is fit: it finds the broken lock, and does not accuse this library. */
class RackIT {

    @TempDir
    private Path folder;

    @Test
    void theRackFindsTheBrokenLockAndDoesNotAccuseThisOne() {
        try (Witness witness = new Witness();
                Workers workers = new Workers(witness)) {
            Verdict broken = Verdict.EMPTY;
            for (int seed = 1; seed <= 5 && !broken.isBroken(); seed++) {
                broken = new Cell(Library.BROKEN, Fault.FORCED).run(workers, witness, seed, 1, folder);
            }
            Verdict library = new Cell(Library.DISTRIBUTION_LOCK, Fault.PAUSED).run(workers, witness, 7, 1, folder);

            assertThat(broken.isBroken()).as(broken.toString()).isTrue();
            assertThat(library.isBroken()).as(library.toString()).isFalse();
        }
    }
}
