package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.distributionlock.monitor.LockObservation;
import io.distributionlock.observation.BypassCounter;
import io.distributionlock.observation.OvertakenCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard and the table of metrics name what there is, and all of it. */
class DashboardTest {

    private static String dashboard() {
        return String.join("\n", Page.of("docs/grafana/distribution-lock.json").lines());
    }

    private static List<String> expressions() {
        List<String> found = new ArrayList<>(JsonPath.<List<String>>read(dashboard(), "$.panels[*].targets[*].expr"));
        found.addAll(JsonPath.<List<String>>read(dashboard(), "$.templating.list[*].query.query"));
        return found;
    }

    @ParameterizedTest(name = "with histograms: {0}")
    @ValueSource(booleans = {false, true})
    void everyMetricOfTheDashboardExistsWithItsTagsAndNoneIsForgotten(boolean histograms) {
        Map<String, Set<String>> scrape = PrometheusScrape.metrics(histograms);
        Set<String> shown = expressions().stream()
                .flatMap(expression -> PromQl.named(expression, scrape).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        // How long what is active lasts by now is for alerts; the mean and the longest of what has ended are shown.
        assertThat(scrape.keySet().stream()
                        .filter(metric -> !metric.matches(".*_bucket|.*_active_seconds_(max|g?sum)")))
                .hasSizeGreaterThan(8)
                .containsExactlyInAnyOrderElementsOf(shown);
    }

    @Test
    void everyMeterIsOnThePageOfOperations() {
        Set<String> onPage = Page.of("docs/operations.md").lines().stream()
                .filter(line -> line.startsWith("| `distribution.lock."))
                .map(line -> Page.cells(line).get(0).replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = new TreeSet<>(List.of(BypassCounter.NAME, OvertakenCounter.NAME));
        Arrays.stream(LockObservation.values()).map(LockObservation::getName).forEach(all::add);
        assertThat(onPage).isEqualTo(all);
    }
}
