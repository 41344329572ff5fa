package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.playground.TestDatabase.WorkLine;
import java.util.List;

/** Checks the lines of the work log. */
public final class WorkLines {

    private WorkLines() {}

    /** For one order, each entry must be followed by the exit of the same thread. */
    public static void assertNeverTwoAtWork(List<WorkLine> work) {
        assertThat(work.size()).as("lines, two for each work: %s", work).isEven();
        for (int i = 0; i < work.size(); i += 2) {
            assertThat(work.get(i).event()).as("line %s of %s", i, work).isEqualTo("ENTERED");
            assertThat(work.get(i + 1).event()).as("line %s of %s", i + 1, work).isEqualTo("LEFT");
            assertThat(work.get(i + 1).worker())
                    .as("line %s of %s", i + 1, work)
                    .isEqualTo(work.get(i).worker());
        }
    }
}
