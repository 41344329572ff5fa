package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.LockObservation;
import io.distributionlock.observation.EngineMeters;
import io.distributionlock.observation.LockMeter;
import io.distributionlock.observation.LockObservations;
import io.distributionlock.observation.ObservedLockExecutor;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
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
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** The dashboard and the table of metrics name what there is, and all of it. */
class DashboardTest {

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
        for (LockMeter meter : LockMeter.values()) {
            String name = meter.getName().replace('.', '_');
            Set<String> tags = Arrays.stream(meter.getKeyNames())
                    .map(tag -> tag.asString())
                    .collect(Collectors.toSet());
            names.put(meter.getType() == Meter.Type.COUNTER ? name + "_total" : name, tags);
        }
        for (LockObservation observation : LockObservation.values()) {
            String name = observation.getName().replace('.', '_') + "_seconds";
            Set<String> tags = Arrays.stream(observation.getLowCardinalityKeyNames())
                    .map(tag -> tag.asString())
                    .collect(Collectors.toSet());
            for (String statistic : List.of("_count", "_sum", "_max")) {
                names.put(name + statistic, tags);
            }
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
    void everyMeterStandsOnThePageOfOperations() {
        Set<String> onPage = Page.of("docs/operations.md").lines().stream()
                .filter(line -> line.startsWith("| `distribution.lock."))
                .map(line -> Page.cells(line).get(0).replace("`", ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = new TreeSet<>();
        Arrays.stream(LockMeter.values()).map(LockMeter::getName).forEach(all::add);
        Arrays.stream(LockObservation.values()).map(LockObservation::getName).forEach(all::add);
        assertThat(onPage).isEqualTo(all);
    }

    @Test
    void theEnumsSayWhatIsReallyRegistered() {
        MeterRegistry registry = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
        try (LocalLockExecutor executor = new LocalLockExecutor()) {
            StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("registry", registry));
            new EngineMeters(beans.getBeanProvider(MeterRegistry.class))
                    .postProcessAfterInitialization(executor, "locks");
            LockTemplate template = new LockTemplate(
                    new ObservedLockExecutor(executor, List.of(new LockObservations(observations))),
                    LockDefaults.STANDARD);
            try (var lease = template.acquire(LockRequest.named("order:1").build())) {
                assertThat(lease.isValid()).isTrue();
                assertThat(registry.get(LockMeter.HELD.getName()).gauge().value())
                        .isEqualTo(1);
            }
            assertThat(registry.get(LockMeter.HELD.getName()).gauge().value()).isZero();
        }
        for (LockMeter meter : LockMeter.values()) {
            if (meter == LockMeter.LOST || meter == LockMeter.BYPASSED) {
                continue; // counted when they happen; see LockMetersTests
            }
            for (Meter registered : registry.get(meter.getName()).meters()) {
                assertThat(registered.getId().getType()).isEqualTo(meter.getType());
                assertThat(registered.getId().getTags())
                        .extracting(Tag::getKey)
                        .containsExactlyInAnyOrder(Arrays.stream(meter.getKeyNames())
                                .map(tag -> tag.asString())
                                .toArray(String[]::new));
            }
        }
    }
}
