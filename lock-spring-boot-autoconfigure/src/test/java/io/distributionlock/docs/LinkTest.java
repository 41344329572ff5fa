package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation leads to what exists. */
class LinkTest {

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("#+ +(.*)");
    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.:/-])/(home|root|work|Users|tmp|mnt)/|[A-Z]:\\\\|file:/");

    static List<Page> pages() {
        List<Page> pages = new ArrayList<>(Page.all());
        pages.add(Page.of("CHANGELOG.md"));
        pages.add(Page.of("CONTRIBUTING.md"));
        pages.add(Page.of("SECURITY.md"));
        pages.add(Page.of("verification/README.md"));
        pages.add(Page.of("verification/fenced/README.md"));
        pages.add(Page.of("verification/specification/README.md"));
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyRelativeLinkLeadsToAFileAndItsHeading(Page page) throws IOException {
        List<String> dead = new ArrayList<>();
        List<String> lines = outsideOfCode(page.lines());
        for (int i = 0; i < lines.size(); i++) {
            Matcher link = LINK.matcher(lines.get(i));
            while (link.find()) {
                if (!link.group(1).contains(":") && !leadsSomewhere(page, link.group(1))) {
                    dead.add(page + ":" + (i + 1) + " → " + link.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void theMapNamesEveryPage() {
        Page map = Page.of("docs/README.md");
        List<String> named = map.lines().stream()
                .flatMap(line -> LINK.matcher(line).results())
                .map(link -> "docs/" + link.group(1))
                .toList();
        // The map itself, and the results of single runs, to which their pages lead.
        assertThat(Page.all().stream()
                        .map(Page::path)
                        .filter(path -> path.startsWith("docs/") && !path.equals(map.path()))
                        .filter(path -> !path.matches("docs/[^/]+/.+") || path.endsWith("/README.md")))
                .hasSizeGreaterThan(15)
                .isSubsetOf(named);
    }

    private static boolean leadsSomewhere(Page page, String link) throws IOException {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path file =
                path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchors(Files.readAllLines(file)).contains(link.substring(hash + 1));
    }

    /** As the sites that show Markdown make them: small letters, digits and hyphens. */
    private static List<String> anchors(List<String> lines) {
        return outsideOfCode(lines).stream()
                .map(HEADING::matcher)
                .filter(Matcher::matches)
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /** The same lines, those of code blocks empty. */
    private static List<String> outsideOfCode(List<String> lines) {
        List<String> outside = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            boolean fence = line.strip().startsWith("```");
            outside.add(inside || fence ? "" : line);
            inside ^= fence;
        }
        return outside;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noPageNamesAPathOfSomeMachine(Page page) {
        assertThat(page.lines().stream()
                        .filter(line -> MACHINE_PATH.matcher(line).find()))
                .isEmpty();
    }
}
