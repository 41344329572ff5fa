package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The rules that operators paste have the form of Prometheus, and name what the library registers. */
class AlertRulesTest {

    private static final String FILE = "docs/alerts/distribution-lock.yml";

    private static final Pattern DURATION = Pattern.compile("\\d+[smhd]");
    private static final Pattern LABEL_IN_TEXT = Pattern.compile("\\{\\{ \\$labels\\.(\\w+) }}");

    private record Rule(
            String alert, String expr, String pause, Map<String, String> labels, Map<String, String> annotations) {}

    @SuppressWarnings("unchecked")
    private static List<Rule> rules() {
        Map<String, Object> file =
                new Yaml().load(String.join("\n", Page.of(FILE).lines()));
        assertThat(file).containsOnlyKeys("groups");
        List<Rule> rules = new ArrayList<>();
        for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
            assertThat(group).containsOnlyKeys("name", "rules");
            for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
                assertThat(Set.of("alert", "expr", "for", "labels", "annotations"))
                        .containsAll(rule.keySet());
                rules.add(new Rule(
                        (String) rule.get("alert"),
                        (String) rule.get("expr"),
                        (String) rule.getOrDefault("for", "0s"),
                        (Map<String, String>) rule.get("labels"),
                        (Map<String, String>) rule.get("annotations")));
            }
        }
        return rules;
    }

    @Test
    void everyRuleHasTheFormOfPrometheus() {
        assertThat(rules()).hasSizeGreaterThan(4).extracting(Rule::alert).doesNotHaveDuplicates();
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule.alert()).matches("Lock[A-Za-z]+");
            assertThat(rule.pause()).matches(DURATION);
            assertThat(rule.labels()).containsOnlyKeys("severity");
            assertThat(rule.labels().get("severity")).isIn("critical", "warning");
            assertThat(rule.annotations()).containsOnlyKeys("summary", "description");
            assertThat(count(rule.expr(), '(')).isEqualTo(count(rule.expr(), ')'));
            assertThat(count(rule.expr(), '{')).isEqualTo(count(rule.expr(), '}'));
        });
    }

    @ParameterizedTest(name = "with histograms: {0}")
    @ValueSource(booleans = {false, true})
    void everyMetricAndTagOfARuleIsRegistered(boolean histograms) {
        Map<String, Set<String>> scrape = PrometheusScrape.metrics(histograms);
        Set<String> watched = new TreeSet<>();
        rules().forEach(rule -> watched.addAll(PromQl.named(rule.expr(), scrape)));
        assertThat(watched)
                .contains(
                        "distribution_lock_hold_seconds_count",
                        "distribution_lock_bypassed_total",
                        "distribution_lock_overtaken_total",
                        "distribution_lock_wait_seconds_count");
    }

    /** Another label would be empty in the text. */
    @Test
    void theTextsShowOnlyWhatTheirExpressionsKeep() {
        assertThat(rules())
                .allSatisfy(rule -> assertThat(LABEL_IN_TEXT
                                .matcher(String.join(" ", rule.annotations().values()))
                                .results()
                                .map(label -> label.group(1)))
                        .allSatisfy(label ->
                                assertThat(rule.expr()).containsPattern("by \\([^)]*\\b" + label + "\\b[^)]*\\)")));
    }

    @Test
    void anythingThatIsNotRegisteredIsFound() {
        Map<String, Set<String>> scrape = PrometheusScrape.metrics(false);
        for (String wrong : List.of(
                "distribution_lock_held_seconds_count > 0",
                "distribution_lock_hold_seconds_count{outcome=\"lost\"} > 0",
                "distribution_lock_hold_seconds_count{lock=\"a\"} > 0",
                "sum by (method) (distribution_lock_hold_seconds_count) > 0",
                "up > 0")) {
            assertThatThrownBy(() -> PromQl.named(wrong, scrape)).as(wrong).isInstanceOf(AssertionError.class);
        }
    }

    private static long count(String text, char sign) {
        return text.chars().filter(each -> each == sign).count();
    }
}
