package io.distributionlock.sample.showcase;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order application can be taken out of the sample: it is small, and it needs nothing of the showcase. */
class SampleStructureTest {

    private static final String SHOWCASE = "..sample.showcase..";
    private static final int MOST_FILES = 30;
    private static final int MOST_LINES = 1_200;

    /** Main code and tests. */
    private static final JavaClasses SAMPLE = new ClassFileImporter().importPackages("io.distributionlock.sample");

    @Test
    void nothingOutsideTheShowcaseNeedsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SHOWCASE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SHOWCASE)
                .check(SAMPLE);
    }

    @Test
    void theOrderApplicationIsSmall() throws IOException {
        List<Path> files = orderApplication();

        assertThat(files).hasSizeLessThanOrEqualTo(MOST_FILES);
        List<String> lines = new ArrayList<>();
        for (Path file : files) {
            lines.addAll(Files.readAllLines(file));
        }
        assertThat(lines.size()).as("lines").isBetween(1, MOST_LINES);
    }

    private static List<Path> orderApplication() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("showcase"))
                    .toList();
        }
    }
}
