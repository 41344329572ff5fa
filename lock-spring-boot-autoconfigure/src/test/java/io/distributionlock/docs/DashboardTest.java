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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboard and the table of metrics name what there is, and all of it. */
class DashboardTest {

    private static final Set<String> COUNTERS = Set.of(BypassCounter.NAME, OvertakenCounter.NAME);

    private static final Pattern METRIC = Pattern.compile("(distribution_lock_[a-z_]+)(\\{|,)");
    private static final Pattern GROUPS = Pattern.compile("by \\(([a-z, ]+)\\)");

    /** Given by the scraping and by common tags, not by this library. */
    private static final Set<String> OF_THE_SCRAPER = Set.of("instance", "application");

    private static String dashboard() {
        return String.join("\n", Page.of("docs/grafana/distribution-lock.json").lines());
    }

    private static List<String> expressions() {
        List<String> found = new ArrayList<>(JsonPath.<List<String>>read(dashboard(), "$.panels[*].targets[*].expr"));
        found.addAll(JsonPath.<List<String>>read(dashboard(), "$.templating.list[*].query.query"));
        return found;
    }

    /** What there is, by its names in Prometheus, with its tags. */
    private static Map<String, Set<String>> metrics() {
        Map<String, Set<String>> names = new TreeMap<>();
        COUNTERS.forEach(counter -> names.put(counter.replace('.', '_') + "_total", Set.of("method")));
        for (LockObservation observation : LockObservation.values()) {
            String name = observation.getName().replace('.', '_');
            Set<String> tags = Arrays.stream(observation.getLowCardinalityKeyNames())
                    .map(tag -> tag.asString())
                    .collect(Collectors.toSet());
            for (String statistic : List.of("_count", "_sum", "_max")) {
                names.put(name + "_seconds" + statistic, tags);
            }
            names.put(name + "_active_seconds_count", tags);
        }
        return names;
    }

    @Test
    void everyMetricOfTheDashboardExistsWithItsTagsAndNoneIsForgotten() {
        Map<String, Set<String>> metrics = metrics();
        Set<String> shown = new TreeSet<>();
        for (String expression : expressions()) {
            Set<String> tags = new TreeSet<>(OF_THE_SCRAPER);
            Matcher metric = METRIC.matcher(expression);
            while (metric.find()) {
                assertThat(metrics).containsKey(metric.group(1));
                shown.add(metric.group(1));
                tags.addAll(metrics.get(metric.group(1)));
            }
            Matcher groups = GROUPS.matcher(expression);
            while (groups.find()) {
                assertThat(tags).as(expression).contains(groups.group(1).split(", "));
            }
        }
        assertThat(shown).isEqualTo(metrics.keySet());
    }

    @Test
    void everyMeterIsOnThePageOfOperations() {
        Set<String> onPage = Page.of("docs/operations.md").lines().stream()
                .filter(line -> line.startsWith("| `distribution.lock."))
                .map(line -> Page.cells(line).get(0).replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = new TreeSet<>(COUNTERS);
        Arrays.stream(LockObservation.values()).map(LockObservation::getName).forEach(all::add);
        assertThat(onPage).isEqualTo(all);
    }
}
