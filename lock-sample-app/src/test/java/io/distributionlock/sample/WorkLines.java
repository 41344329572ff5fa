package io.distributionlock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.sample.TestDatabase.WorkLine;
import java.util.List;

/** What the lines of the work log must be. */
final class WorkLines {

    private WorkLines() {}

    /** Of one order: each entry is followed by the exit of the same thread. */
    static void assertNeverTwoAtWork(List<WorkLine> work) {
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
