package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockFailureReason;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What expressions for Prometheus name: metrics, their tags, and the outcomes of attempts and leases. */
final class PromQl {

    private static final Pattern SELECTOR =
            Pattern.compile("(distribution_lock_[a-z_]+)(?:\\{([^}]*)})?|\\{__name__=~\"([^\"]+)\"([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=|!=|=~|!~)\"([^\"]*)\"");
    private static final Pattern GROUPS = Pattern.compile("by \\(([a-z, ]+)\\)");

    /** Given by the scraping and by common tags, not by this library. */
    private static final Set<String> OF_THE_SCRAPER = Set.of("instance", "application");

    private static final Set<String> OUTCOMES = Stream.of(
                    Stream.of("acquired", "released", "error", "postponed"),
                    Arrays.stream(LossReason.values()).map(Enum::name),
                    Arrays.stream(LockFailureReason.values()).map(Enum::name))
            .flatMap(names -> names)
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());

    private PromQl() {}

    /** Fails unless all that the expression names is in the scrape. Returns the metrics. */
    static Set<String> named(String expression, Map<String, Set<String>> scrape) {
        Set<String> found = new TreeSet<>();
        Set<String> tags = new TreeSet<>(OF_THE_SCRAPER);
        for (MatchResult selector : SELECTOR.matcher(expression).results().toList()) {
            String name = selector.group(1) == null ? selector.group(3) : selector.group(1);
            List<String> metrics = PrometheusScrape.matching(scrape, name);
            assertThat(metrics).as(name + " in " + expression).isNotEmpty();
            found.addAll(metrics);
            metrics.forEach(metric -> tags.addAll(scrape.get(metric)));
            String conditions = selector.group(1) == null ? selector.group(4) : selector.group(2);
            checkConditions(conditions == null ? "" : conditions, tags, expression);
        }
        assertThat(found).as(expression).isNotEmpty();
        GROUPS.matcher(expression)
                .results()
                .forEach(groups ->
                        assertThat(tags).as(expression).contains(groups.group(1).split(", ")));
        return found;
    }

    private static void checkConditions(String conditions, Set<String> tags, String expression) {
        MATCHER.matcher(conditions).results().forEach(condition -> {
            assertThat(tags).as(expression).contains(condition.group(1));
            if (condition.group(1).equals("outcome")) {
                assertThat(OUTCOMES).as(expression).contains(condition.group(2).split("\\|"));
            }
        });
    }
}
