package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.messages.MessageRules;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URI of each node, and what its error says. */
@Tag("boot4")
class LockConnectionsTest {

    @ParameterizedTest
    @CsvSource({
        "redis-1:6379, nodes[1] is not the URI of a Redis: it is 'redis-1:6379'.",
        "'', nodes[1] is not the URI of a Redis: it is blank.",
        "'secret@redis-1:6379', nodes[1] is not the URI of a Redis.",
        "redis-sentinel://a:1/0#x, nodes[1] ",
        "redis://FIRST:6379, nodes[1] repeats the server first:6379.",
    })
    void aNodeIsNamedByItsIndexAndByItsValueWhereThatHoldsNoPassword(String uri, String expected) {
        for (String prefix : List.of("distribution-lock.quorum.", "distribution-lock.executors.reports.quorum.")) {
            Throwable thrown =
                    catchThrowable(() -> new LockConnections(prefix + "nodes", List.of("redis://first:6379", uri)));
            assertThat(thrown.getMessage()).contains(prefix + expected).doesNotContain("secret");
            assertThat(MessageRules.faults(thrown.getMessage())).isEmpty();
        }
        assertThat(catchThrowable(() -> new LockConnections("distribution-lock.quorum.nodes", List.of("redis-1:6379"))))
                .hasMessageContaining("nodes[0]");
    }
}
