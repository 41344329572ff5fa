package io.distributionlock.benchmarks.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessTest {

    private Witness here;

    /** What another process maps. */
    private Witness there;

    @BeforeEach
    void mapsTwice(@TempDir Path folder) {
        Path file = folder.resolve("witness");
        here = Witness.map(file, 2);
        there = Witness.map(file, 2);
    }

    @Test
    void sectionsInTurnAreFine() {
        here.enter(0, 1);
        here.leave(0, 1);
        there.enter(0, 2);
        there.leave(0, 2);
        assertThat(here.violations()).isZero();
        assertThat(here.entries()).isEqualTo(2);
    }

    @Test
    void sectionsOfTwoNamesMayOverlap() {
        here.enter(0, 1);
        there.enter(1, 2);
        there.leave(1, 2);
        here.leave(0, 1);
        assertThat(here.violations()).isZero();
    }

    @Test
    void sectionsOfOneNameMayNot() {
        here.enter(0, 1);
        there.enter(0, 2);
        assertThat(here.violations()).isEqualTo(1);
        here.leave(0, 1);
        assertThat(here.violations()).isEqualTo(2);
    }

    @Test
    void asManySectionsOfANameAsThereArePermitsMayOverlap(@TempDir Path folder) {
        Witness two = Witness.map(folder.resolve("permits"), 1, 2);
        two.enter(0, 1);
        two.enter(0, 2);
        two.leave(0, 1);
        two.enter(0, 3);
        assertThat(two.violations()).isZero();
        two.enter(0, 4);
        assertThat(two.violations()).isEqualTo(1);
        assertThat(two.entries()).isEqualTo(4);
    }

    @Test
    void tellsWhenTheLastSectionEnded() {
        assertThat(here.lastEnd(0)).isZero();
        long before = System.nanoTime();
        there.enter(0, 1);
        there.leave(0, 1);
        assertThat(here.lastEnd(0)).isBetween(before, System.nanoTime());
    }
}
