package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nothing is said of another library, or of this one, without the place where it can be checked. */
class ComparisonPageTest {

    private static final Page PAGE = Page.of("docs/comparison.md");
    private static final Pattern NOTE = Pattern.compile("\\[\\^([a-z-]+)]");
    private static final Pattern DEFINITION = Pattern.compile("\\[\\^([a-z-]+)]: .+");
    private static final Pattern LINK = Pattern.compile("]\\([^)]+\\)");
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Tests?|IT|Contract))`");

    /** The notes about a library begin with its letter, in the order of the columns. */
    private static final String LIBRARIES = "rlksi";

    private static final int OURS = 1;

    /** The rows that compare: what is compared, this library, and the others. */
    private static List<List<String>> rows() {
        return PAGE.lines().stream()
                .filter(line -> line.startsWith("| "))
                .map(Page::cells)
                .filter(cells -> cells.size() == LIBRARIES.length() + 2)
                .filter(cells -> !cells.get(0).isEmpty())
                .toList();
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(result -> result.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyCellAboutAnotherLibraryHasItsNote() {
        assertThat(rows()).hasSizeGreaterThan(20);
        List<String> unproved = new ArrayList<>();
        for (List<String> row : rows()) {
            for (int library = 0; library < LIBRARIES.length(); library++) {
                String cell = row.get(library + 2);
                Set<String> notes = matches(NOTE, cell);
                String letter = LIBRARIES.charAt(library) + "-";
                if (notes.isEmpty() || !notes.stream().allMatch(note -> note.startsWith(letter))) {
                    unproved.add(row.get(0) + ": " + cell);
                }
            }
        }
        assertThat(unproved).isEmpty();
    }

    @Test
    void everyNoteIsWrittenOnceAndUsed() {
        List<String> written = PAGE.lines().stream()
                .flatMap(line -> DEFINITION.matcher(line).results().map(result -> result.group(1)))
                .toList();
        Set<String> used = new TreeSet<>();
        PAGE.lines().stream().filter(line -> line.startsWith("|")).forEach(line -> used.addAll(matches(NOTE, line)));
        assertThat(written).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void whatIsSaidOfThisLibraryIsTestedOrDocumented() {
        Set<String> tests = Page.testsOfTheProject();
        for (List<String> row : rows()) {
            String cell = row.get(OURS);
            List<String> named =
                    TEST.matcher(cell).results().map(result -> result.group(1)).toList();
            assertThat(tests).as(row.get(0)).containsAll(named);
            assertThat(!named.isEmpty() || LINK.matcher(cell).find())
                    .as("a test or a link in the cell '%s: %s'", row.get(0), cell)
                    .isTrue();
        }
    }
}
