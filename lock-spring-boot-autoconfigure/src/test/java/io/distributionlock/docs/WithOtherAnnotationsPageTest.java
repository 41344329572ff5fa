package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each row names the test that tries it, with the annotations of the row and what the row says to set for the other order. */
class WithOtherAnnotationsPageTest {

    private static final Page PAGE = Page.of("docs/with-other-annotations.md");
    private static final Pattern ANNOTATION = Pattern.compile("`(@[^`]+)`");

    private record Row(String togetherWith, String otherOrder, String test) {

        static Row of(String line) {
            List<String> cells = Page.cells(line);
            assertThat(cells).as(line).hasSize(5);
            return new Row(cells.get(0), cells.get(3), cells.get(4).replace("`", ""));
        }

        List<String> annotations() {
            return ANNOTATION
                    .matcher(togetherWith + otherOrder)
                    .results()
                    .map(annotation -> annotation.group(1))
                    .toList();
        }

        boolean setsTheOrderOfLocks() {
            return otherOrder.contains("`advice.order=1000`");
        }
    }

    private static List<Row> rows() {
        return PAGE.section("# With other annotations").stream()
                .filter(line -> line.endsWith("Test` |"))
                .map(Row::of)
                .toList();
    }

    /** The source of each test by its name. */
    private static Map<String, String> tests() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String module : List.of("annotations", "annotations-boot4")) {
            try (Stream<Path> files = Files.list(folder(module))) {
                for (Path file : files.toList()) {
                    sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
                }
            }
        }
        sources.keySet().removeIf(name -> !name.endsWith("Test"));
        return sources;
    }

    private static Path folder(String module) {
        return Page.project()
                .resolve("verification/compatibility")
                .resolve(module)
                .resolve("src/test/java/io/distributionlock/annotations");
    }

    @Test
    void everyRowHasItsTestAndEveryTestItsRow() throws IOException {
        assertThat(rows().stream().map(Row::test)).containsExactlyInAnyOrderElementsOf(tests().keySet());
    }

    @Test
    void everyTestTriesWhatItsRowSays() throws IOException {
        Map<String, String> tests = tests();
        for (Row row : rows()) {
            assertThat(tests.get(row.test())).as(row.test()).contains(row.annotations());
            if (row.setsTheOrderOfLocks()) {
                assertThat(tests.get(row.test())).as(row.test()).contains("Trace.LATER");
            }
        }
        assertThat(Files.readString(folder("annotations").resolve("Trace.java")))
                .contains("LATER = \"distribution-lock.advice.order=1000\"");
    }
}
