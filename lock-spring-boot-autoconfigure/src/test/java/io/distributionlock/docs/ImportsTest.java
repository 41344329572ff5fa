package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users import from few packages: neither the pages nor the sample nor the playground need any other. */
class ImportsTest {

    private static final Path PROJECT = Path.of("..");

    private static final Pattern IMPORT =
            Pattern.compile("(?m)^\\s*import (?:static )?(io\\.distributionlock(?:\\.[a-z]\\w*)*)\\.[A-Z][\\w.*]*;");

    private static final List<String> FOR_USERS = List.of(
            "io.distributionlock",
            "io.distributionlock.annotation",
            "io.distributionlock.event",
            "io.distributionlock.key",
            "io.distributionlock.failure",
            "io.distributionlock.monitor",
            "io.distributionlock.leader",
            // LockExecutors, for a second executor.
            "io.distributionlock.autoconfigure",
            // The test kit.
            "io.distributionlock.test",
            "io.distributionlock.test.contract");

    @Test
    void thePagesImportOnlyWhatIsForUsers() throws IOException {
        List<String> found = importsOf(filesIn(PROJECT.resolve("docs"), ".md"));
        found.addAll(importsOf(filesIn(PROJECT, ".md", 1)));
        assertThat(found).isNotEmpty().isSubsetOf(FOR_USERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock-sample-app", "lock-playground"})
    void applicationsImportOnlyWhatIsForUsers(String application) throws IOException {
        List<String> found = importsOf(filesIn(PROJECT.resolve(application).resolve("src/main"), ".java"));
        found.removeIf(name -> name.startsWith("io.distributionlock.playground"));
        assertThat(found).isNotEmpty().isSubsetOf(FOR_USERS.subList(0, 8));
    }

    private static List<String> importsOf(List<Path> files) throws IOException {
        List<String> packages = new ArrayList<>();
        for (Path file : files) {
            IMPORT.matcher(Files.readString(file))
                    .results()
                    .map((MatchResult result) -> result.group(1))
                    .forEach(packages::add);
        }
        return packages;
    }

    private static List<Path> filesIn(Path folder, String suffix) throws IOException {
        return filesIn(folder, suffix, Integer.MAX_VALUE);
    }

    private static List<Path> filesIn(Path folder, String suffix, int depth) throws IOException {
        try (Stream<Path> files = Files.walk(folder, depth)) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }
}
