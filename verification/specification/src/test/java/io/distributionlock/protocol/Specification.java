package io.distributionlock.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The specification: its modules, and the table of its configurations. */
final class Specification {

    static final String PROTOCOL = "LockProtocol.tla";

    private static final Pattern RULE = Pattern.compile("Rule\\(\"([^\"]+)\"\\)");
    private static final Pattern LEFT_OUT = Pattern.compile("Broken=\\{\"([^\"]+)\"}");

    /** A name, what the configuration shows, and on indented lines what it is. */
    private static final Pattern CONFIGURATION = Pattern.compile("(?m)^([\\w/-]+): .*((?:\\n {4}.*)+)");

    private static final String STANDARD = "standard";

    private final Path folder;

    Specification(Path folder) {
        this.folder = folder;
    }

    List<Configuration> configurations() {
        List<MatchResult> rows =
                CONFIGURATION.matcher(read("configurations.txt")).results().toList();
        Configuration none = new Configuration(STANDARD, Map.of(), Set.of(), "");
        Configuration standard = none.with(STANDARD, rows.get(0).group(2));
        return rows.stream()
                .skip(1)
                .map(row -> standard.with(row.group(1), row.group(2)))
                .toList();
    }

    TreeSet<String> rules() {
        return found(RULE, read(PROTOCOL));
    }

    /** The rules that some configuration omits. */
    TreeSet<String> rulesLeftOut() {
        return found(LEFT_OUT, read("configurations.txt"));
    }

    private static TreeSet<String> found(Pattern pattern, String text) {
        return new TreeSet<>(
                pattern.matcher(text).results().map(match -> match.group(1)).toList());
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " of the specification cannot be read", e);
        }
    }
}
