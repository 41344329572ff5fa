package io.distributionlock.fenced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.distributionlock.fenced.Database.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A short run: under the guard of the database nothing wrong commits, and without it, the same faults lose updates. */
class FencedRackIT {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void onlyTheGuardOfTheDatabaseLetsNothingWrongCommit(Kind database) throws IOException {
        FencedRack rack = new FencedRack(Options.parse(
                "--databases",
                database.name(),
                "--episodes",
                "40",
                "--round",
                "10",
                "--sentinels",
                "false",
                "--out",
                folder.toString()));
        Table table = rack.run();
        assumeTrue(table.has(database.title), () -> String.join(", ", rack.leftOut()));

        Map<Guard, Tally> tallies = table.of(database.title);
        Tally guarded = tallies.get(Guard.DATABASE);
        assertThat(table.faultsOfTheGuard()).as(table.markdown()).isZero();
        assertThat(guarded.done).as(table.markdown()).isPositive();
        assertThat(guarded.refused).as(table.markdown()).isPositive();
        assertThat(tallies.get(Guard.NONE).lost).as(table.markdown()).isPositive();
        assertThat(tallies.get(Guard.NONE).stale).as(table.markdown()).isPositive();
    }
}
