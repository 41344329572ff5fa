package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page of results names the commit that was measured, and says itself that the library has changed since. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "verification/stamp is a shell script")
class StampTest {

    private static final String TOOL = "verification/stamp";

    private static final String MEASURED = "Measured on commit `1234567890`.";

    private static final String CHANGED =
            MEASURED + " The library has changed since: `git diff 1234567890 -- \"lock-*/src/main/*\"` shows how.";

    private static final String PAGE = "docs/results.md";

    @TempDir
    Path project;

    @BeforeEach
    void aLibraryAndAPageOfResults() throws IOException {
        for (String module : List.of("core", "redis", "redis-quorum", "jdbc", "spring-boot-autoconfigure")) {
            Files.createDirectories(project.resolve("lock-" + module + "/src/main"));
        }
        write("lock-core/src/main/java/Lock.java", "class Lock {}\r\n");
        write("lock-core/src/main/java/lease/Lease.java", "class Lease {}\n");
        write("lock-redis/src/main/resources/lock.lua", "return 1");
        write("lock-core/src/test/java/LockTest.java", "no part of the library");
        Files.createDirectories(project.resolve("verification"));
        Files.copy(Page.project().resolve(TOOL), project.resolve(TOOL));
        page(MEASURED);
    }

    @Test
    void everyPageSaysWhetherTheLibraryHasChangedSinceItWasMeasured() {
        assertThat(stamp(Page.project(), "--check")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/benchmarks/README.md", "docs/fault-table.md", "verification/fenced/README.md"})
    void everyPageOfResultsIsStamped(String path) {
        assertThat(Page.of(path).lines())
                .anyMatch(line -> line.matches("<!-- stamp: commit=\\p{XDigit}{40} sources=\\p{XDigit}{64} -->"));
    }

    @Test
    void aPageOfTheseSourcesIsTrue() {
        assertThat(stamp("--check")).isEmpty();
    }

    @Test
    void aPageThatHidesAChangeIsFoundAndMended() throws IOException {
        write("lock-core/src/main/java/Lock.java", "class Lock { boolean changed; }\n");

        assertThat(stamp("--check")).contains(PAGE, "run verification/stamp --mend");
        stamp("--mend");

        assertThat(page()).contains(CHANGED).doesNotContain(MEASURED);
        assertThat(stamp("--check")).isEmpty();
    }

    @Test
    void aPageThatInventsAChangeIsFoundAndMended() throws IOException {
        page(CHANGED);

        assertThat(stamp("--check")).contains(PAGE, "run verification/stamp --mend");
        stamp("--mend");

        assertThat(page()).contains(MEASURED).doesNotContain(CHANGED);
        assertThat(stamp("--check")).isEmpty();
    }

    @Test
    void aNewFileAndALostOneAreChanges() throws IOException {
        write("lock-jdbc/src/main/java/New.java", "class New {}");
        assertThat(stamp("--check")).contains(PAGE);

        Files.delete(project.resolve("lock-jdbc/src/main/java/New.java"));
        assertThat(stamp("--check")).isEmpty();

        Files.delete(project.resolve("lock-redis/src/main/resources/lock.lua"));
        assertThat(stamp("--check")).contains(PAGE);
    }

    @Test
    void aSentenceThatIsMissingIsWrittenAndNothingLost() throws IOException {
        page("The first result.");

        stamp("--mend");

        assertThat(page()).containsSubsequence(MEASURED, "The first result.", "The end.");
    }

    private void page(String firstLine) throws IOException {
        write(
                PAGE,
                "# Results\n\n<!-- stamp: commit=%s sources=%s -->\n%s\n\nThe end.\n"
                        .formatted("1234567890".repeat(4), digestOfTheLibrary(), firstLine));
    }

    /** As the tool is said to make it: the path of each file and its text, in the order of the paths. */
    private static String digestOfTheLibrary() {
        String text = "lock-core/src/main/java/Lock.java\nclass Lock {}\n"
                + "lock-core/src/main/java/lease/Lease.java\nclass Lease {}\n"
                + "lock-redis/src/main/resources/lock.lua\nreturn 1";
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> page() throws IOException {
        return Files.readAllLines(project.resolve(PAGE));
    }

    private void write(String path, String text) throws IOException {
        Path file = project.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private String stamp(String option) {
        return stamp(project, option);
    }

    /** What the tool says. */
    private static String stamp(Path project, String option) {
        try {
            Process tool = new ProcessBuilder("sh", project.resolve(TOOL).toString(), option)
                    .redirectErrorStream(true)
                    .start();
            tool.getOutputStream().close();
            String said = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(tool.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(tool.exitValue()).as(said).isEqualTo(option.equals("--check") && !said.isEmpty() ? 1 : 0);
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
