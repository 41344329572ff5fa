package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Pages stay so short that they are read. Who adds a sentence looks for one that can go: most often another page says it too. A word is what
 * has a letter or a digit, so neither the bars of tables nor the signs of code count.
 */
class PageLengthTest {

    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    /** Results of runs, which are tables, and Chinese, which has no spaces between its words. */
    private static final Pattern NOT_COUNTED =
            Pattern.compile("docs/(fault-table\\.md|benchmarks/.*|faults/.*|zh/.*|.*\\.zh-CN\\.md)");

    private static long words(Page page) {
        return page.lines().stream()
                .mapToLong(line -> WORD.matcher(line).results().count())
                .sum();
    }

    @Test
    void theReadmeIsReadInFiveMinutes() {
        assertThat(words(Page.of("README.md"))).isLessThanOrEqualTo(1_200);
    }

    @Test
    void allPagesTogetherAreReadInAnAfternoon() {
        Map<String, Long> words = Page.all().stream()
                .filter(page -> page.path().startsWith("docs/"))
                .filter(page -> !NOT_COUNTED.matcher(page.path()).matches())
                .collect(Collectors.toMap(Page::path, PageLengthTest::words, Long::sum, TreeMap::new));
        assertThat(words).hasSizeGreaterThan(20);
        assertThat(words.values().stream().mapToLong(Long::longValue).sum())
                .as("the words of all pages, of which these have: %s", words)
                .isLessThanOrEqualTo(24_000);
    }
}
