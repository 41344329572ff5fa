package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every message exists in each language, and none is there for nothing. */
class MessagesTest {

    private static final Path RESOURCES = Path.of("src", "main", "resources");
    private static final Pattern CODE_OF_ANSWER =
            Pattern.compile("(?:buildSuccess|buildFail|BusinessException|Refusal)\\([^;]*?\"([a-z]+\\.[a-z.-]+)\"");

    /** Used by a name that is made up of parts, or by Bean Validation. */
    private static final Pattern MADE_UP = Pattern.compile("[A-Z]\\w+|order\\.status\\.\\d|request\\.\\d+");

    @Test
    void theLanguagesHaveTheSameMessages() {
        assertThat(all()).isEqualTo(codes("messages_en.properties"));
    }

    @Test
    void everyAnswerHasItsMessage() {
        Set<String> used = CODE_OF_ANSWER
                .matcher(sources())
                .results()
                .map((MatchResult code) -> code.group(1))
                .collect(Collectors.toSet());

        assertThat(used).hasSizeGreaterThan(20);
        assertThat(all()).containsAll(used);
    }

    @Test
    void everyMessageIsUsed() {
        String sources = sources();

        assertThat(all())
                .filteredOn(code -> !MADE_UP.matcher(code).matches())
                .allSatisfy(code -> assertThat(sources).contains('"' + code + '"'));
    }

    private static Set<String> all() {
        return codes("messages.properties");
    }

    private static Set<String> codes(String file) {
        Properties messages = new Properties();
        try (Reader content = Files.newBufferedReader(RESOURCES.resolve(file))) {
            messages.load(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages.stringPropertyNames();
    }

    private static String sources() {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            StringBuilder all = new StringBuilder();
            for (Path source : sources) {
                all.append(Files.readString(source));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
