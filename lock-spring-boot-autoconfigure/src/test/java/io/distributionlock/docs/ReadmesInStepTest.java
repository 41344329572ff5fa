package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The Chinese README says as much as the English one: the same sections, lists, tables, blocks of code and links, in their order. */
class ReadmesInStepTest {

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern POINT = Pattern.compile(" *(-|\\d+\\.|#+|\\|) .*");

    /** Which link leads to the other README, to a heading of this one, or to a picture in its language. */
    private static final Pattern OWN = Pattern.compile("README.*|#.*|docs/images/.*");

    @Test
    void bothHaveTheSamePoints() {
        assertThat(points(Page.of("README.zh-CN.md"))).isEqualTo(points(Page.of("README.md")));
    }

    @Test
    void bothHaveTheSameCode() {
        assertThat(code(Page.of("README.zh-CN.md"))).isEqualTo(code(Page.of("README.md")));
    }

    @Test
    void bothLeadToTheSamePages() {
        assertThat(links(Page.of("README.zh-CN.md"))).containsExactlyInAnyOrderElementsOf(links(Page.of("README.md")));
    }

    /** Headings, items of lists and rows of tables, with the number of the cells. */
    private static List<String> points(Page page) {
        List<String> points = new ArrayList<>();
        boolean code = false;
        for (String line : page.lines()) {
            code ^= line.strip().startsWith("```");
            Matcher point = POINT.matcher(line);
            if (!code && point.matches()) {
                points.add(
                        point.group(1).equals("|")
                                ? "row of " + Page.cells(line.strip()).size()
                                : point.group(1));
            }
        }
        return points;
    }

    /** The lines of code without what is said in a comment, and without the language that a command asks for. */
    private static List<String> code(Page page) {
        List<String> code = new ArrayList<>();
        boolean inside = false;
        for (String line : page.lines()) {
            boolean fence = line.strip().startsWith("```");
            if (inside || fence) {
                code.add(line.replaceFirst("(^| +)(#|//).*", "")
                        .replaceFirst(" -H 'Accept-Language: \\w+'$", "")
                        .stripTrailing());
            }
            inside ^= fence;
        }
        return code;
    }

    private static List<String> links(Page page) {
        return page.lines().stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> link.group(1))
                .filter(target -> !OWN.matcher(target).matches())
                .toList();
    }
}
