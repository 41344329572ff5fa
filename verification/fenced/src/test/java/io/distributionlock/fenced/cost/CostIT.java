package io.distributionlock.fenced.cost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What does not depend on how fast the machine is. */
class CostIT {

    @Test
    void theGuardCostsTwoStatementsAndNoConnectionWhileACallerWaits() {
        try (Servers servers = new Servers()) {
            Map<Way, List<String>> statements = Cost.statements(servers);
            assertThat(statements.get(Way.LOCK)).containsExactlyInAnyOrderElementsOf(statements.get(Way.NOTHING));
            assertThat(statements.get(Way.GUARD))
                    .as(String.join("; ", statements.get(Way.GUARD)))
                    .hasSize(statements.get(Way.LOCK).size() + 2);

            // The holder's own.
            assertThat(Crowd.gather(servers, Way.GUARD, 2)).isEqualTo(new Crowd(2, 1, true));
            assertThat(Crowd.gather(servers, Way.ROW_LOCK, 10)).isEqualTo(new Crowd(10, 10, false));
        }
    }
}
