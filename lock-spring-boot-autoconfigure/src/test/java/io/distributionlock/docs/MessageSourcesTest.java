package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.messages.MessageRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** M: every text in the sources of the published modules is held against {@link MessageRules}, also those that no test brings up. */
class MessageSourcesTest {

    private static final String LITERAL = "\"((?:\\\\.|[^\"\\\\])*)\"";
    private static final Pattern STATEMENT =
            Pattern.compile("(?:[^;{}\"']|" + LITERAL + "|'(?:\\\\.|[^'\\\\])+')+[;{}]");

    /** A foreign sentence that already ends in a full stop would get a second one; {@code MessageText.sentence} sees to that. */
    private static final Pattern SECOND_FULL_STOP =
            Pattern.compile("(?:getMessage|getSimpleMessage|description|cure)\\(\\)\\s*\\+\\s*\"\\.");

    private static final Pattern RAW_NAME =
            Pattern.compile("[Ll](?:ock|ease of lock) '\"\\s*\\+\\s*(?!MessageText\\.)[\\w.()]+");

    @Test
    @DisplayName("M: all messages of the published modules")
    void allMessages() throws IOException {
        List<String> found = new ArrayList<>();
        int read = 0;
        for (String module : List.of("lock-spring-boot-autoconfigure", "lock-spring-boot-test")) {
            try (Stream<Path> files = Files.walk(Page.project().resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    for (String statement : statements(file)) {
                        read++;
                        faults(statement)
                                .forEach(fault -> found.add(file.getFileName() + ": " + fault + ": " + statement));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(read).isGreaterThan(200);
    }

    @Test
    @DisplayName("M: each class of fault is found")
    void faults() {
        assertThat(faults("throw new X(\"It failed: \" + e.getMessage() + \".\");"))
                .hasSize(1);
        assertThat(faults("log.warn(\"Lock '\" + name + \"' was lost\");")).hasSize(1);
        assertThat(faults("log.warn(\"Lock '\" + MessageText.of(name) + \"' was lost\");"))
                .isEmpty();
        assertThat(faults("throw new X(\"It failed. .\" + \" Set distribution-lock.redis.tiem.\");"))
                .hasSize(2);
    }

    private static List<String> faults(String statement) {
        List<String> faults = new ArrayList<>();
        if (SECOND_FULL_STOP.matcher(statement).find()) {
            faults.add("adds a full stop to a text that may have one");
        }
        if (RAW_NAME.matcher(statement).find()) {
            faults.add("shows the name of a lock as it is");
        }
        messageOf(statement)
                .lines()
                .filter(part -> part.matches(".*\\w{2,} \\w.*"))
                .forEach(part -> faults.addAll(MessageRules.faults(part)));
        return faults;
    }

    /** The literals one after another, with a word for what stands between them. */
    private static String messageOf(String statement) {
        StringBuilder message = new StringBuilder();
        Matcher literal = Pattern.compile(LITERAL).matcher(statement);
        int end = -1;
        while (literal.find()) {
            if (end >= 0) {
                String between = statement.substring(end, literal.start()).strip();
                message.append(
                        between.equals("+") ? "" : between.startsWith("+") && between.endsWith("+") ? "X" : "\n");
            }
            message.append(
                    literal.group(1).replace("\\\"", "'").replace("\\n", " ").replace("\\\\", "\\"));
            end = literal.end();
        }
        return message.toString();
    }

    private static List<String> statements(Path file) {
        try {
            String source =
                    Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)^\\s*//.*$", "");
            List<String> statements = new ArrayList<>();
            Matcher matcher = STATEMENT.matcher(source);
            while (matcher.find()) {
                if (matcher.group().contains("\"") && matcher.group().contains(" ")) {
                    statements.add(matcher.group().strip().replaceAll("\\s+", " "));
                }
            }
            return statements;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
