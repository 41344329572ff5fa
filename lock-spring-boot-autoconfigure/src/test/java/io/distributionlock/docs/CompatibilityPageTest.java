package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of environments claims no more, and no less, than CI is told to run. */
class CompatibilityPageTest {

    private static final Page PAGE = Page.of("docs/compatibility.md");

    /** How the scripts of CI begin an environment. */
    private static final Pattern BEGUN = Pattern.compile("(?m)^ *environment ([a-z][\\w.-]*)");

    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+|\\d{2}");

    private record Row(
            String environment,
            String server,
            String springBoot,
            String java,
            String client,
            String suites,
            String runBy) {

        static Row of(String line) {
            List<String> cells = Page.cells(line);
            assertThat(cells).as(line).hasSize(7);
            return new Row(
                    cells.get(0).replace("`", ""),
                    cells.get(1),
                    cells.get(2),
                    cells.get(3),
                    cells.get(4),
                    cells.get(5),
                    cells.get(6));
        }

        boolean isOfCi() {
            return runBy.startsWith("CI");
        }
    }

    private static List<Row> rows() {
        return PAGE.section("# Compatibility").stream()
                .filter(line -> line.startsWith("| `"))
                .map(Row::of)
                .toList();
    }

    private static Row row(String environment) {
        return rows().stream()
                .filter(row -> row.environment().equals(environment))
                .findFirst()
                .orElseThrow();
    }

    /** What CI is told: environment, server, version of the server, and whether it must be there. */
    private static List<String[]> environments() throws IOException {
        return Files.readAllLines(Page.project().resolve(".ci/environments")).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" +"))
                .toList();
    }

    @Test
    void thePageNamesTheEnvironmentsThatCiIsToldToRun() throws IOException {
        assertThat(rows().stream()
                        .filter(Row::isOfCi)
                        .map(row -> String.join("; ", row.environment(), row.server(), row.runBy())))
                .containsExactlyElementsOf(environments().stream()
                        .map(told -> "%s; %s %s; %s"
                                .formatted(
                                        told[0],
                                        told[1],
                                        told[2],
                                        told[3].equals("always") ? "CI" : "CI, if available"))
                        .toList());
    }

    @Test
    void ciRunsTheEnvironmentsThatItIsToldToRun() throws IOException {
        String scripts = Files.readString(Page.project().resolve(".ci/run"))
                + Files.readString(Page.project().resolve(".ci/servers"));
        assertThat(BEGUN.matcher(scripts).results().map(begun -> begun.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        environments().stream().map(told -> told[0]).toList());
    }

    @Test
    void theVersionsOfTheBuildAreThoseOfItsRows() throws IOException {
        String pom = Files.readString(Page.project().resolve("pom.xml"));
        assertThat(pom)
                .contains("<spring-boot-baseline.version>" + row("build").springBoot() + "<")
                .contains("<spring-boot-next.version>" + row("next-boot").springBoot() + "<")
                .contains("<java.version>" + row("build").java() + "<");
        assertThat(Files.readString(compatibility("boot40/pom.xml")))
                .contains("<spring-boot.version>" + row("boot-4.0").springBoot() + "<");
        String redisson = row("redisson").client().replace("Redisson ", "");
        assertThat(Files.readString(compatibility("pom.xml")))
                .contains("<compatibility.redisson.version>" + redisson + "<");
        assertThat(row("redisson").springBoot()).isEqualTo(row("next-boot").springBoot());
        assertThat(row("without-lettuce").springBoot()).isEqualTo(row("build").springBoot());
    }

    private static Path compatibility(String file) {
        return Page.project().resolve("verification/compatibility").resolve(file);
    }

    @Test
    void theBuildRunsOnTheServerOfItsRow() {
        assumeThat(Optional.ofNullable(System.getProperty("test.redis", System.getenv("TEST_REDIS"))))
                .isEmpty();
        try (RedisProcess redis = RedisProcess.start()) {
            assertThat(row("build").server()).isEqualTo("Redis " + redis.version());
        }
    }

    @Test
    void theReadmeRequiresNoOtherLinesThanCiRan() {
        Set<String> ran = rows().stream()
                .filter(Row::isOfCi)
                .flatMap(row -> Stream.of(row.server(), row.springBoot(), row.java()))
                .flatMap(cell -> VERSION.matcher(cell).results())
                .map(version -> version.group().replaceFirst("^(\\d+\\.\\d+)\\..*", "$1"))
                .collect(Collectors.toSet());
        List<String> required = Page.of("README.md").section("## Requirements").stream()
                .flatMap(line -> VERSION.matcher(line).results())
                .map(version -> version.group())
                .toList();
        assertThat(required).hasSizeGreaterThan(4).isSubsetOf(ran);
        assertThat(rows().stream()
                        .filter(Row::isOfCi)
                        .map(row -> row.springBoot().replaceFirst("\\.\\d+$", "")))
                .isSubsetOf(required);
    }
}
