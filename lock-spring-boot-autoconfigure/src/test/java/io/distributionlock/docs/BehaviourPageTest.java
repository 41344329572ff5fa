package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockFailureReason;
import io.distributionlock.LockKind;
import io.distributionlock.OnLost;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of rules has a row for each kind, each reason and each answer that there is, and no other. */
class BehaviourPageTest {

    @Test
    void everyKindHasItsRow() {
        assertThat(rows("## Kinds of locks")).containsExactlyInAnyOrderElementsOf(names(LockKind.values()));
    }

    @Test
    void everyReasonOfAFailureHasItsRow() {
        assertThat(rows("## When the lock is not acquired"))
                .containsExactlyInAnyOrderElementsOf(names(LockFailureReason.values()));
    }

    @Test
    void everyReasonOfALossAndEveryAnswerToItHasItsRow() {
        List<String> expected = Stream.of(names(LossReason.values()), names(OnLost.values()))
                .flatMap(List::stream)
                .toList();
        assertThat(rows("## When the lease is lost")).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> names(Enum<?>[] values) {
        return Stream.of(values).map(Enum::name).toList();
    }

    private static List<String> rows(String heading) {
        return Page.of("docs/behaviour.md").section(heading).stream()
                .filter(line -> line.matches("\\| `[A-Z_]+` \\|.*"))
                .map(row -> Page.cells(row).get(0).replace("`", ""))
                .toList();
    }
}
