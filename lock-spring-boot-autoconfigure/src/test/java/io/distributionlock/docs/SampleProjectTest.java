package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample is a project of its own, which repeats what it would inherit. {@code .ci/copied-sample} builds and runs a copy. */
class SampleProjectTest {

    private static final Path SAMPLE = Page.project().resolve("lock-sample-app");
    private static final int MAX_LINES_OF_CODE = 700;

    @ParameterizedTest
    @CsvSource({
        "(?s)<parent>.*?<version>(.+?)</version>, <spring-boot-next.version>(.+?)<",
        "<distribution-lock.version>(.+?)<,       <artifactId>lock-parent</artifactId>\\s+<version>(.+?)<",
        "<java.version>(.+?)<,                    <java.version>(.+?)<",
        "embedded-redis</artifactId>\\s+<version>(.+?)<, <embedded-redis.version>(.+?)<"
    })
    void itHasTheVersionsOfThisProject(String own, String ofThisProject) {
        assertThat(found(own, SAMPLE.resolve("pom.xml")))
                .isEqualTo(found(ofThisProject, Page.project().resolve("pom.xml")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mvnw", "mvnw.cmd", ".mvn/wrapper/maven-wrapper.properties", ".mvn/wrapper/find-maven.ps1"})
    void itHasTheWrapperOfThisProject(String file) {
        assertThat(SAMPLE.resolve(file)).hasSameBinaryContentAs(Page.project().resolve(file));
    }

    @Test
    void itIsSmall() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLE)) {
            long lines = files.filter(file -> file.toString().matches(".*\\.(java|yml|sql|html|xml)"))
                    .filter(file -> !file.startsWith(SAMPLE.resolve("target")))
                    .flatMap(file -> linesOf(file).stream())
                    .filter(line -> !line.isBlank() && !line.strip().matches("(//|/\\*|\\*|#|<!--).*"))
                    .count();
            assertThat(lines).isBetween(100L, (long) MAX_LINES_OF_CODE);
        }
    }

    private static String found(String pattern, Path file) {
        Matcher matcher = Pattern.compile(pattern).matcher(String.join("\n", linesOf(file)));
        assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
        return matcher.group(1);
    }

    private static List<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
