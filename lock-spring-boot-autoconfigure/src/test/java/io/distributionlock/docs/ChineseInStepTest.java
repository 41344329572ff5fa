package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Chinese page says as much as the English one: sections with the same lists, tables and blocks of code, in whatever order, and the same
 * links. Only comments and texts in its code are Chinese.
 */
class ChineseInStepTest {

    private static final List<String> CHINESE =
            List.of("README.zh-CN.md", "docs/zh/annotations.md", "docs/zh/recipes.md", "docs/zh/sample.md");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern POINT = Pattern.compile(" *(-|\\d+\\.|#+|\\|) .*");
    private static final Pattern CHINESE_TEXT = Pattern.compile("\"[^\"]*\\p{IsHan}[^\"]*\"");
    private static final Pattern ENGLISH_TEXT = Pattern.compile("\"[^\"]*[A-Za-z] ?[^\"]*\"");

    static List<String> chinesePages() {
        return CHINESE;
    }

    @ParameterizedTest
    @MethodSource("chinesePages")
    void bothHaveTheSameSections(String chinese) {
        List<List<String>> sections = sections(Page.of(english(chinese)));
        assertThat(sections(Page.of(chinese)))
                .hasSameSizeAs(sections)
                .allSatisfy(section -> assertThat(sections)
                        .as(String.join("\n", section))
                        .anyMatch(other -> isTheSame(section, other)));
    }

    @ParameterizedTest
    @MethodSource("chinesePages")
    void bothLeadToTheSamePages(String chinese) {
        assertThat(links(Page.of(chinese))).containsExactlyInAnyOrderElementsOf(links(Page.of(english(chinese))));
    }

    /** What a section has, without its prose: headings, items of lists, rows of tables with the number of their cells, and lines of code. */
    private static List<List<String>> sections(Page page) {
        List<List<String>> sections = new ArrayList<>();
        sections.add(new ArrayList<>());
        boolean inside = false;
        for (String line : page.lines()) {
            boolean fence = line.strip().startsWith("```");
            if (!inside && line.startsWith("## ")) {
                sections.add(new ArrayList<>());
            }
            Matcher point = POINT.matcher(line);
            if (inside || fence) {
                sections.get(sections.size() - 1).add(withoutComment(line));
            } else if (point.matches()) {
                sections.get(sections.size() - 1).add(point.group(1).equals("|") ? rowOf(line) : point.group(1));
            }
            inside ^= fence;
        }
        return sections;
    }

    private static String rowOf(String line) {
        return "row of " + Page.cells(line.strip()).size();
    }

    /** Nor with the language that a command asks for. */
    private static String withoutComment(String line) {
        return line.replaceFirst("(^| +)(#|//|/\\*\\*).*", "")
                .replaceFirst(" -H 'Accept-Language: \\w+'$", "")
                .stripTrailing();
    }

    private static boolean isTheSame(List<String> chinese, List<String> english) {
        if (chinese.size() != english.size()) {
            return false;
        }
        for (int i = 0; i < chinese.size(); i++) {
            if (!isTheSame(chinese.get(i), english.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Where there is a Chinese text, there is an English one; all else is equal. */
    private static boolean isTheSame(String chinese, String english) {
        Matcher text = CHINESE_TEXT.matcher(chinese);
        StringBuilder pattern = new StringBuilder();
        int end = 0;
        while (text.find()) {
            pattern.append(Pattern.quote(chinese.substring(end, text.start()))).append(ENGLISH_TEXT);
            end = text.end();
        }
        pattern.append(Pattern.quote(chinese.substring(end)));
        return english.matches(pattern.toString());
    }

    /** Where they lead, from the folder of the project: to the English page, and to its heading unless that is translated, too. */
    private static List<String> links(Page page) {
        return page.lines().stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> link.group(1))
                .filter(link -> !link.contains(":"))
                .map(link -> resolved(page, link))
                // The other language, headings of the same page, and pictures in its language.
                .filter(link -> !link.equals(english(page.path())) && !link.contains("docs/images/"))
                .toList();
    }

    private static String resolved(Page page, String link) {
        String[] parts = link.split("#", 2);
        Path from = Path.of(page.path());
        Path path = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
        String target = english(path.toString().replace('\\', '/'));
        boolean translated =
                CHINESE.stream().anyMatch(chinese -> english(chinese).equals(target));
        return translated || parts.length == 1 ? target : target + "#" + parts[1];
    }

    private static String english(String path) {
        return path.replace("README.zh-CN.md", "README.md")
                .replace("docs/zh/sample.md", "lock-sample-app/README.md")
                .replace("docs/zh/", "docs/");
    }
}
